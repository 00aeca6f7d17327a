import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendProblem, createDiskFullBody } from '#server/http/errors.ts'
import { findJsonError } from '#server/http/find-json-error.ts'
import { createProblemBody, createProblemId } from '#server/http/problem.ts'
import { toHeaders } from '#server/http/serve.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Auth } from './auth.ts'
import { createAuthErrorBody, authErrors, toKnownAuthError } from './auth-errors.ts'

interface ReachablePath {
  method: 'GET' | 'POST'
  /** Whether it requires a session of a user who is not disabled. */
  requiresSession: boolean
}

const publicPost = { method: 'POST', requiresSession: false } as const
const sessionPost = { method: 'POST', requiresSession: true } as const

/**
 * The paths under /api/auth that are served. All other endpoints of the identity library, including those of
 * future versions, respond 404, so that nobody can bypass our rules to sign up, link accounts, or change
 * e-mail, name, organization or factors.
 */
export const reachablePaths: Readonly<Record<string, ReachablePath>> = {
  '/sign-in/email': publicPost,
  '/sign-out': publicPost,
  '/request-password-reset': publicPost,
  '/reset-password': publicPost,
  '/two-factor/send-otp': publicPost,
  '/two-factor/verify-otp': publicPost,
  '/two-factor/verify-totp': publicPost,
  '/two-factor/verify-backup-code': publicPost,
  '/change-password': sessionPost,
  '/get-session': { method: 'GET', requiresSession: true },
  '/list-sessions': { method: 'GET', requiresSession: true },
  '/revoke-session': sessionPost,
  '/revoke-other-sessions': sessionPost,
  '/multi-factor/totp/start': sessionPost,
  '/multi-factor/totp/finish': sessionPost,
  '/multi-factor/phone/start': sessionPost,
  '/multi-factor/phone/finish': sessionPost,
  '/multi-factor/unenrol': sessionPost,
  '/multi-factor/recovery-codes': sessionPost,
}

/** Returns a function that runs asynchronous functions one after the other. */
function createSerialQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let lastWork: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = lastWork.then(work)
    lastWork = result.catch(() => undefined)
    return result
  }
}

const basePath = '/api/auth'
/** Maximum bytes of a body, because hashing a long password takes long. */
const maxBodyBytes = 16 * 1024

/** Returns whether a body is a JSON object or empty. Other sites can only send forms and plain text. */
const isJson = (body: unknown): boolean =>
  body === undefined ||
  body === null ||
  (typeof body === 'object' && !Array.isArray(body) && findJsonError(body, 'body') === null)

function toRequest(request: FastifyRequest, url: URL): Request {
  const headers = toHeaders(request)
  headers.set('x-client-ip', request.ip)
  // The requested host; Fastify takes it from a proxy only if the proxy is trusted.
  headers.set('host', request.host)
  headers.delete('content-length')
  if (request.method === 'GET') return new Request(url, { headers })
  headers.set('content-type', 'application/json')
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(request.body ?? {}) })
}

/** Converts a response of the library. Errors get the message of `authErrors`, if any, and an id to quote. */
async function convertResponse(
  response: Response,
  log: Log,
): Promise<{ status: number; body: Buffer | object | undefined }> {
  const bytes = response.body ? Buffer.from(await response.arrayBuffer()) : undefined
  if (response.status < 400) return { status: response.status, body: bytes }
  const errorBody = ((): object => {
    try {
      return (JSON.parse(bytes?.toString() ?? '') as object | null) ?? {}
    } catch {
      return {}
    }
  })()
  const code = toKnownAuthError(response.status, 'code' in errorBody ? errorBody.code : null)
  if (code)
    return { status: authErrors[code][0], body: { ...createAuthErrorBody(code), id: createProblemId() } }
  // The library logs the cause, which must not be disclosed.
  if (response.status >= 500) {
    const body = createProblemBody(
      'internal_server_error',
      'Something went wrong on the server. It has been logged; quote the id to those who run it.',
    )
    log('error', { id: body.id, error: `A call below ${basePath} answered ${response.status}.` })
    return { status: response.status, body }
  }
  return { status: response.status, body: { ...errorBody, id: createProblemId() } }
}

/** Serves the reachable paths under /api/auth with the identity library. */
export function serveAuth(
  app: FastifyInstance,
  auth: Auth,
  { disk, log }: { disk: () => Promise<'ok' | 'full'>; log: Log },
): void {
  // The library checks the lock of an account, verifies the code, and then counts the attempt, so concurrent
  // guesses would all pass the check. Therefore, verifications run one after the other.
  const runSerially = createSerialQueue()
  app.route({
    method: ['GET', 'POST'],
    url: `${basePath}/*`,
    bodyLimit: maxBodyBytes,
    handler: async (request, reply) => {
      // A fixed host, because the Host header may not be valid in a URL.
      const url = new URL(request.url, 'http://localhost')
      const path = url.pathname.slice(basePath.length)
      const reachablePath = Object.hasOwn(reachablePaths, path) ? reachablePaths[path] : undefined
      if (reachablePath?.method !== request.method)
        return sendProblem(
          reply,
          createProblemBody('not_found', `There is nothing at ${request.method} ${url.pathname}.`),
        )
      if (!isJson(request.body))
        return sendProblem(
          reply,
          createProblemBody(
            'bad_request',
            'The body must be a JSON object without the character U+0000, not nested deep.',
          ),
        )
      const authRequest = toRequest(request, url)
      reply.header('cache-control', 'no-store')
      if (reachablePath.requiresSession) {
        const session = await auth.api.getSession({ headers: authRequest.headers }).catch(() => null)
        if (session?.user.disabled)
          return reply.code(401).send({ ...createAuthErrorBody('UNAUTHORIZED'), id: createProblemId() })
      }
      const response = await (path.startsWith('/two-factor/verify-')
        ? runSerially(() => auth.handler(authRequest))
        : auth.handler(authRequest))
      // The library hides the cause of errors, so the disk is checked here.
      if (response.status >= 500 && (await disk()) === 'full')
        return sendProblem(
          reply,
          createDiskFullBody(log, `A call below ${basePath} answered ${response.status}.`),
        )
      const { status, body } = await convertResponse(response, log)
      for (const [name, value] of response.headers)
        if (!['set-cookie', 'content-length', 'x-retry-after'].includes(name)) reply.header(name, value)
      const cookies = response.headers.getSetCookie()
      if (cookies.length) reply.header('set-cookie', cookies)
      const retryAfter = response.headers.get('x-retry-after')
      if (retryAfter) reply.header('retry-after', retryAfter)
      return reply.code(status).type('application/json').send(body)
    },
  })
}
