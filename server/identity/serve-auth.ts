import type { FastifyInstance } from 'fastify'
import { headersOf } from '#server/http/serve.ts'
import type { Auth } from './auth.ts'

/** Hands /api/auth/* to the identity library, with the asker's address for its rate limits. */
export function serveAuth(app: FastifyInstance, auth: Auth): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    handler: async (request, reply) => {
      const headers = headersOf(request)
      headers.set('x-client-ip', request.ip)
      const url = new URL(request.url, `http://${request.headers.host ?? 'localhost'}`)
      const body = request.method === 'POST' ? { body: JSON.stringify(request.body ?? {}) } : {}
      headers.delete('content-length')
      const answer = await auth.handler(new Request(url, { method: request.method, headers, ...body }))
      reply.code(answer.status)
      for (const [name, value] of answer.headers) if (name !== 'set-cookie') reply.header(name, value)
      const cookies = answer.headers.getSetCookie()
      if (cookies.length) reply.header('set-cookie', cookies)
      return reply.send(answer.body ? Buffer.from(await answer.arrayBuffer()) : undefined)
    },
  })
}
