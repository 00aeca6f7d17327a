import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendProblem, diskFullBody } from '#server/http/errors.ts'
import { findJsonFault } from '#server/http/find-json-fault.ts'
import { problemBody, problemId } from '#server/http/problem.ts'
import { headersOf } from '#server/http/serve.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Auth } from './auth.ts'
import { authErrorBody, authErrors, knownAuthError } from './auth-errors.ts'

interface Reachable {
  method: 'GET' | 'POST'
  /** Asks for a session: that of a disabled user is none. */
  signedIn: boolean
}

const publicPost = { method: 'POST', signedIn: false } as const
const sessionPost = { method: 'POST', signedIn: true } as const

/**
 * The addresses below /api/auth that answer; every other one of the identity library, also of its next version, is not found.
 * So nobody changes e-mail, name or organization, signs up, links accounts or turns a factor on past our own rules.
 */
export const reachablePaths: Readonly<Record<string, Reachable>> = {
  '/sign-in/email': publicPost,
  '/sign-out': publicPost,
  '/request-password-reset': publicPost,
  '/reset-password': publicPost,
  '/two-factor/send-otp': publicPost,
  '/two-factor/verify-otp': publicPost,
  '/two-factor/verify-totp': publicPost,
  '/two-factor/verify-backup-code': publicPost,
  '/change-password': sessionPost,
  '/get-session': { method: 'GET', signedIn: true },
  '/list-sessions': { method: 'GET', signedIn: true },
  '/revoke-session': sessionPost,
  '/revoke-other-sessions': sessionPost,
  '/multi-factor/totp/start': sessionPost,
  '/multi-factor/totp/finish': sessionPost,
  '/multi-factor/phone/start': sessionPost,
  '/multi-factor/phone/finish': sessionPost,
  '/multi-factor/unenrol': sessionPost,
  '/multi-factor/recovery-codes': sessionPost,
}

/** Runs what is given one after another, in the order that it came. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
}

const base = '/api/auth'

/** No credential call is longer; a long password would be a long piece of work. */
const bodyLimit = 16 * 1024

/** A form or a plain text, which other sites' pages can send, is no body. */
const isJson = (body: unknown): boolean =>
  body === undefined ||
  body === null ||
  (typeof body === 'object' && !Array.isArray(body) && findJsonFault(body, 'body') === null)

function requestOf(request: FastifyRequest, url: URL): Request {
  const headers = headersOf(request)
  headers.set('x-client-ip', request.ip)
  // As the browser knows it; who may say so for a proxy, the server has looked at.
  headers.set('host', request.host)
  headers.delete('content-length')
  if (request.method === 'GET') return new Request(url, { headers })
  headers.set('content-type', 'application/json')
  return new Request(url, { method: 'POST', headers, body: JSON.stringify(request.body ?? {}) })
}

/** The answer; an error in the words of our table where it has a place there, with an id to quote. */
async function normalizeError(
  answer: Response,
  log: Log,
): Promise<{ status: number; body: Buffer | object | undefined }> {
  const bytes = answer.body ? Buffer.from(await answer.arrayBuffer()) : undefined
  if (answer.status < 400) return { status: answer.status, body: bytes }
  const errorBody = ((): object => {
    try {
      return (JSON.parse(bytes?.toString() ?? '') as object | null) ?? {}
    } catch {
      return {}
    }
  })()
  const code = knownAuthError(answer.status, 'code' in errorBody ? errorBody.code : null)
  if (code) return { status: authErrors[code][0], body: { ...authErrorBody(code), id: problemId() } }
  // The library logs the cause itself; its text is not for everybody.
  if (answer.status >= 500) {
    const body = problemBody(
      'internal_server_error',
      'Something went wrong on the server. It has been logged; quote the id to those who run it.',
    )
    log('error', { id: body.id, error: `A call below ${base} answered ${answer.status}.` })
    return { status: answer.status, body }
  }
  return { status: answer.status, body: { ...errorBody, id: problemId() } }
}

/** Hands the reachable calls below /api/auth to the identity library, with the asker's address for its rate limits. */
export function serveAuth(
  app: FastifyInstance,
  auth: Auth,
  { disk, log }: { disk: () => Promise<'ok' | 'full'>; log: Log },
): void {
  // The library looks whether an account is locked, then at the code, then counts: guesses at the same moment would all pass the look.
  const guessInTurn = oneAtATime()
  app.route({
    method: ['GET', 'POST'],
    url: `${base}/*`,
    bodyLimit,
    handler: async (request, reply) => {
      // Whatever the asker calls our host, it is not always an address.
      const url = new URL(request.url, 'http://localhost')
      const path = url.pathname.slice(base.length)
      const reachable = Object.hasOwn(reachablePaths, path) ? reachablePaths[path] : undefined
      if (reachable?.method !== request.method)
        return sendProblem(
          reply,
          problemBody('not_found', `There is nothing at ${request.method} ${url.pathname}.`),
        )
      if (!isJson(request.body))
        return sendProblem(
          reply,
          problemBody(
            'bad_request',
            'The body must be a JSON object without the character U+0000, not nested deep.',
          ),
        )
      const authRequest = requestOf(request, url)
      reply.header('cache-control', 'no-store')
      if (reachable.signedIn) {
        const session = await auth.api.getSession({ headers: authRequest.headers }).catch(() => null)
        if (session?.user.disabled)
          return reply.code(401).send({ ...authErrorBody('UNAUTHORIZED'), id: problemId() })
      }
      const answer = await (path.startsWith('/two-factor/verify-')
        ? guessInTurn(() => auth.handler(authRequest))
        : auth.handler(authRequest))
      // The library hides what failed: the disk itself is asked.
      if (answer.status >= 500 && (await disk()) === 'full')
        return sendProblem(reply, diskFullBody(log, `A call below ${base} answered ${answer.status}.`))
      const { status, body } = await normalizeError(answer, log)
      for (const [name, value] of answer.headers)
        if (!['set-cookie', 'content-length', 'x-retry-after'].includes(name)) reply.header(name, value)
      const cookies = answer.headers.getSetCookie()
      if (cookies.length) reply.header('set-cookie', cookies)
      const wait = answer.headers.get('x-retry-after')
      if (wait) reply.header('retry-after', wait)
      return reply.code(status).type('application/json').send(body)
    },
  })
}
