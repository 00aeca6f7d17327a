import type { FastifyInstance } from 'fastify'
import type { Outbox, Sent } from './outbox.ts'

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '')

/** Escaped text whose web addresses can be followed. */
const linked = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, i) => (i % 2 ? `<a href="${escaped(part)}">${escaped(part)}</a>` : escaped(part)))
    .join('')

const entry = ({ to, subject, text, at }: Sent): string =>
  `<article><h2>${escaped(subject ?? 'Text message')}</h2><p>To ${escaped(to)}, <time>${at.toISOString()}</time></p><pre>${linked(text)}</pre></article>`

const style =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}article{border-top:1px solid;padding:.5rem 0}'

/** The page of what was sent, newest first. Everything in it is somebody's input: nothing goes in unescaped. */
export const devMailPage = (sent: readonly Sent[]): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sent mail - Publicway</title><style>${style}</style></head><body><main><h1>Sent mail</h1>${sent.map(entry).join('') || '<p>Nothing has been sent since the server started.</p>'}</main></body></html>`

/** Serves what was sent at /dev/mail; there is an outbox in development only. */
export function serveDevMail(app: FastifyInstance, outbox: Outbox | null): void {
  if (!outbox) return
  app.get('/dev/mail', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(devMailPage(outbox.list())),
  )
}
