import type { FastifyInstance } from 'fastify'
import type { SentMessages, SentMessage } from './message.ts'

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? '')

/** Escapes a text and turns web addresses into links. */
const linkText = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) =>
      index % 2 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part),
    )
    .join('')

const renderMessage = ({ to, subject, text, at }: SentMessage): string =>
  `<article><h2>${escapeHtml(subject ?? 'Text message')}</h2><p>To ${escapeHtml(to)}, <time>${at.toISOString()}</time></p><pre>${linkText(text)}</pre></article>`

const style =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}article{border-top:1px solid;padding:.5rem 0}'

/** Returns the HTML page of sent messages, newest first. All texts are untrusted and escaped. */
export const renderDevMail = (sent: readonly SentMessage[]): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sent mail - Publicway</title><style>${style}</style></head><body><main><h1>Sent mail</h1>${sent.map(renderMessage).join('') || '<p>Nothing has been sent since the server started.</p>'}</main></body></html>`

/** Serves the sent messages at /dev/mail. They are stored in development only. */
export function serveDevMail(app: FastifyInstance, sentMessages: SentMessages | null): void {
  if (!sentMessages) return
  app.get('/dev/mail', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(renderDevMail(sentMessages.list())),
  )
}
