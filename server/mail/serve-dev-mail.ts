import type { FastifyInstance } from 'fastify'
import { devMailPage } from './dev-mail-page.ts'
import type { Outbox } from './outbox.ts'

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
