import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AddressLimit } from '#server/http/address-limit.ts'
import { Problem } from '#server/http/problem.ts'
import { toHeaders } from '#server/http/serve.ts'
import { findViewer } from '../find-viewer.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { attemptMs, type SignInAttempt } from './sign-in-attempt.ts'
import { startSignIn } from './start-sign-in.ts'
import { type Sso, SsoRefusal } from './sso.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'
import { toAccountProvider } from './read-provider.ts'

/** Finds the provider of the last single sign-on in this browser; null if there was none. */
async function findLastProvider(
  state: State,
  viewer: Pick<Viewer, 'userId' | 'email' | 'scope'>,
): Promise<{ provider_id: string; name: string; email: string } | null> {
  const providers = await state
    .as(viewer.scope)
    .selectFrom('sign_in_provider')
    .select(['provider_id', 'name'])
    .where('enabled', '=', true)
    .execute()
  const accounts = await state
    .as(systemScope)
    .selectFrom('account')
    .select('providerId')
    .where('userId', '=', viewer.userId)
    .orderBy('updatedAt', 'desc')
    .execute()
  for (const { providerId } of accounts) {
    const provider = providers.find((row) => toAccountProvider(row.provider_id) === providerId)
    if (provider) return { ...provider, email: viewer.email }
  }
  return null
}

/** Maximum number of sign-ins that one address may start, and of those that it may finish, per minute. */
const maxSignInsPerMinute = 30
/** Pages of the popup. They access the window that opened it, so they have no cross-origin opener policy. */
const popupPaths = /^\/(api\/sso\/|oauth2\/login\/close)/
/** 32 bytes as base64url. */
const secretPattern = /^[\w-]{43}$/

/** Serves the redirects of browsers to a provider and back. */
export function serveSso(app: FastifyInstance, sso: Sso, now: () => Date): void {
  app.addHook('onRequest', async (request, reply) => {
    if (popupPaths.test(request.url)) reply.header('cross-origin-opener-policy', 'unsafe-none')
  })
  serveStart(app, sso, now)
  serveCallback(app, sso, now)
  serveEntered(app, sso)
}

/** Redirects a browser to the sign-in page of a provider. */
function serveStart(app: FastifyInstance, sso: Sso, now: () => Date): void {
  const limit = new AddressLimit(maxSignInsPerMinute, 60_000)
  app.get('/api/sso/start', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const at = now()
    const query = getQuery(request)
    try {
      if (!(await limit.admits(request.ip, at))) throw new SsoRefusal('TOO_MANY_ATTEMPTS', 'start')
      // An existing secret is reused, so that sign-ins in two tabs can both be finished.
      const browser = readSecret(request, sso) ?? randomBytes(32).toString('base64url')
      const ssoRequest = {
        providerId: readText(query, 'provider_id'),
        issuer: readText(query, 'iss'),
        loginHint: readText(query, 'login_hint'),
        origin: readText(query, 'origin'),
        isPopup: query.get('mode') === 'popup',
        browser,
      }
      const url = await startSignIn(sso, ssoRequest, at)
      reply.header(
        'set-cookie',
        `${getCookieName(sso)}=${browser}; Path=/; Max-Age=${attemptMs / 1000}; HttpOnly; SameSite=Lax${isHttps(sso) ? '; Secure' : ''}`,
      )
      return reply.redirect(url.href)
    } catch (error) {
      if (error instanceof SsoRefusal) return refuse(sso, reply, error)
      throw error
    }
  })
}

/** Signs in a browser that comes back from a provider. */
function serveCallback(app: FastifyInstance, sso: Sso, now: () => Date): void {
  const limit = new AddressLimit(maxSignInsPerMinute, 60_000)
  app.get<{ Params: { organization: string } }>('/api/sso/callback/:organization', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const at = now()
    if (!(await limit.admits(request.ip, at)))
      return refuse(sso, reply, new SsoRefusal('TOO_MANY_ATTEMPTS', 'callback'))
    const ssoRequest = {
      organizationId: request.params.organization,
      query: getQuery(request).toString(),
      browser: readSecret(request, sso),
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
    }
    const { attempt, outcome } = await finishSignIn(sso, ssoRequest, at)
    if (outcome instanceof SsoRefusal) return refuse(sso, reply, outcome, attempt)
    reply.header('set-cookie', outcome.cookies)
    if (attempt?.mode === 'popup') {
      const fragment = new URLSearchParams({ provider_id: outcome.providerId })
      return reply.redirect(`/oauth2/login/close#${fragment}`)
    }
    return reply.redirect(`/oidc/entered?${new URLSearchParams({ origin: attempt?.place ?? '/' })}`)
  })
}

/** Responds with the provider of the user's last single sign-on. */
function serveEntered(app: FastifyInstance, sso: Sso): void {
  app.get('/api/sso/entered', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const headers = toHeaders(request)
    headers.delete('impersonated-user')
    const viewer = await findViewer(sso.auth, sso.state, headers)
    if (!viewer) throw new Problem('unauthorized', 'Sign in to do this.')
    const provider = await findLastProvider(sso.state, viewer)
    if (!provider) throw new Problem('not_found', 'You did not sign in by single sign-on.')
    return provider
  })
}

const isHttps = ({ publicUrl }: Sso): boolean => publicUrl.startsWith('https:')
const getCookieName = (sso: Sso): string => `${isHttps(sso) ? '__Host-' : ''}publicway.sso`

/** Reads the secret of a browser that has started a sign-in, from its cookie. */
function readSecret(request: FastifyRequest, sso: Sso): string | null {
  const prefix = `${getCookieName(sso)}=`
  const secretCookie = request.headers.cookie?.split(/; */).find((cookie) => cookie.startsWith(prefix))
  const secret = secretCookie?.slice(prefix.length) ?? ''
  return secretPattern.test(secret) ? secret : null
}

/** Redirects to a page that shows the error; its reason is logged under the same id. */
function refuse(
  sso: Sso,
  reply: FastifyReply,
  refusal: SsoRefusal,
  attempt: Pick<SignInAttempt, 'place' | 'mode'> | null = null,
) {
  const id = randomUUID().slice(0, 8)
  sso.log('sso', { id, code: refusal.code, reason: refusal.message })
  const resultParams = new URLSearchParams({ sso_error: refusal.code, sso_id: id })
  if (attempt?.mode === 'popup') return reply.redirect(`/oauth2/login/close#${resultParams}`)
  if (attempt && attempt.place !== '/') resultParams.set('origin', attempt.place)
  return reply.redirect(`/login?${resultParams}`)
}

const getQuery = (request: FastifyRequest): URLSearchParams => new URL(request.url, 'http://x').searchParams

const maxParameterLength = 2000

/** Reads a text parameter; null if it is missing, too long or contains control characters. */
function readText(query: URLSearchParams, name: string): string | null {
  const text = query.get(name)?.trim() ?? ''
  return text && text.length <= maxParameterLength && !/\p{Cc}/u.test(text) ? text : null
}
