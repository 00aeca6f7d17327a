import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problemBody } from '#server/http/problem.ts'
import { headersOf } from '#server/http/serve.ts'
import type { Auth } from './auth.ts'
import { authErrorBody, authErrors, knownAuthError } from './auth-errors.ts'
import { reachablePaths } from './reachable-paths.ts'

const base = '/api/auth'

/** No credential call is longer; a long password would be a long piece of work. */
const bodyLimit = 16 * 1024

/** A form or a plain text, which other sites' pages can send, is no body. */
const isJson = (body: unknown): boolean => body === undefined || body === null || (typeof body === 'object' && !Array.isArray(body) && !('pipe' in body))

function requestOf(request: FastifyRequest, url: URL): Request {
  const headers = headersOf(request)
  headers.set('x-client-ip', request.ip)
  headers.delete('content-length')
  if (request.method === 'GET') return new Request(url, { headers })
  headers.set('content-type', 'application/json')
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(request.body ?? {}) })
}

/** The answer in the words of our table, where it is an error that has a place there. */
async function inOurWords(answer: Response): Promise<{ status: number; body: Buffer | object | undefined }> {
  const bytes = answer.body ? Buffer.from(await answer.arrayBuffer()) : undefined
  if (answer.status < 400) return { status: answer.status, body: bytes }
  const said = ((): unknown => {
    try {
      return (JSON.parse(bytes?.toString() ?? '') as { code?: unknown } | null)?.code
    } catch {
      return null
    }
  })()
  const code = knownAuthError(answer.status, said)
  return code ? { status: authErrors[code][0], body: authErrorBody(code) } : { status: answer.status, body: bytes }
}

/** Hands the reachable calls below /api/auth to the identity library, with the asker's address for its rate limits. */
export function serveAuth(app: FastifyInstance, auth: Auth): void {
  app.route({
    method: ['GET', 'POST'],
    url: `${base}/*`,
    bodyLimit,
    handler: async (request, reply) => {
      const url = new URL(request.url, `http://${request.headers.host ?? 'localhost'}`)
      const path = url.pathname.slice(base.length)
      const known = Object.hasOwn(reachablePaths, path) ? reachablePaths[path] : undefined
      if (known?.method !== request.method) return reply.code(404).send(problemBody('not_found', `There is nothing at ${request.method} ${url.pathname}.`))
      if (!isJson(request.body)) return reply.code(400).send(problemBody('bad_request', 'The body must be a JSON object.'))
      const asked = requestOf(request, url)
      reply.header('cache-control', 'no-store')
      if (known.signedIn) {
        const session = await auth.api.getSession({ headers: asked.headers }).catch(() => null)
        if (session?.user.disabled) return reply.code(401).send(authErrorBody('UNAUTHORIZED'))
      }
      const answer = await auth.handler(asked)
      const { status, body } = await inOurWords(answer)
      for (const [name, value] of answer.headers) if (!['set-cookie', 'content-length'].includes(name)) reply.header(name, value)
      const cookies = answer.headers.getSetCookie()
      if (cookies.length) reply.header('set-cookie', cookies)
      const wait = answer.headers.get('x-retry-after')
      if (wait) reply.header('retry-after', wait)
      return reply.code(status).type('application/json').send(body)
    },
  })
}
