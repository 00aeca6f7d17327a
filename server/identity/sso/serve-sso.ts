import { randomBytes, randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AddressLimit } from '#server/http/address-limit.ts'
import { Problem } from '#server/http/problem.ts'
import { headersOf } from '#server/http/serve.ts'
import { findViewer } from '../find-viewer.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { attemptMs, type SignInAttempt } from './sign-in-attempt.ts'
import { startSignIn } from './start-sign-in.ts'
import type { Sso } from './sso.ts'
import { SsoRefusal } from './sso-refusal.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'
import { accountProvider } from './read-provider.ts'

/** The provider by which a user came last, for the browser to remember; null for who never came by one. */
async function findEntered(
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
    const provider = providers.find((each) => accountProvider(each.provider_id) === providerId)
    if (provider) return { ...provider, email: viewer.email }
  }
  return null
}

/** Sign-ins that one address may begin, and end, in a minute. */
const perMinute = 30

/** The pages of a popup keep their tie to the window that opened it: the browser cuts it where a page asks for a group of its own. */
const popupPages = /^\/(api\/sso\/|oauth2\/login\/close)/

const secretForm = /^[\w-]{43}$/

/** Serves the browser's way to a provider and back; `now` is the clock. */
export function serveSso(app: FastifyInstance, sso: Sso, now: () => Date): void {
  const secure = sso.publicUrl.startsWith('https:')
  const cookieName = `${secure ? '__Host-' : ''}publicway.sso`
  const limits = { start: new AddressLimit(perMinute, 60_000), callback: new AddressLimit(perMinute, 60_000) }

  const secretOf = (request: FastifyRequest): string | null => {
    const pair = request.headers.cookie?.split(/; */).find((each) => each.startsWith(`${cookieName}=`))
    const secret = pair?.slice(cookieName.length + 1) ?? ''
    return secretForm.test(secret) ? secret : null
  }

  /** Says it in the page that the browser is led to; why, in the log under the same id. */
  const refuse = (
    reply: FastifyReply,
    refusal: SsoRefusal,
    attempt: Pick<SignInAttempt, 'place' | 'mode'> | null = null,
  ) => {
    const id = randomUUID().slice(0, 8)
    sso.log('sso', { id, code: refusal.code, reason: refusal.message })
    const resultParams = new URLSearchParams({ sso_error: refusal.code, sso_id: id })
    if (attempt?.mode === 'popup') return reply.redirect(`/oauth2/login/close#${resultParams}`)
    if (attempt && attempt.place !== '/') resultParams.set('origin', attempt.place)
    return reply.redirect(`/login?${resultParams}`)
  }

  app.addHook('onRequest', async (request, reply) => {
    if (popupPages.test(request.url)) reply.header('cross-origin-opener-policy', 'unsafe-none')
  })

  app.get('/api/sso/start', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const at = now()
    const query = queryOf(request)
    try {
      if (!limits.start.admits(request.ip, at)) throw new SsoRefusal('TOO_MANY_ATTEMPTS', 'start')
      // One secret a browser: sign-ins that are begun in two tabs both end well.
      const browser = secretOf(request) ?? randomBytes(32).toString('base64url')
      const ask = {
        providerId: textOf(query, 'provider_id'),
        issuer: textOf(query, 'iss'),
        loginHint: textOf(query, 'login_hint'),
        origin: textOf(query, 'origin'),
        popup: query.get('mode') === 'popup',
        browser,
      }
      const to = await startSignIn(sso, ask, at)
      reply.header(
        'set-cookie',
        `${cookieName}=${browser}; Path=/; Max-Age=${attemptMs / 1000}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
      )
      return reply.redirect(to.href)
    } catch (error) {
      if (error instanceof SsoRefusal) return refuse(reply, error)
      throw error
    }
  })

  app.get<{ Params: { organization: string } }>('/api/sso/callback/:organization', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const at = now()
    if (!limits.callback.admits(request.ip, at))
      return refuse(reply, new SsoRefusal('TOO_MANY_ATTEMPTS', 'callback'))
    const ask = {
      organizationId: request.params.organization,
      query: queryOf(request).toString(),
      browser: secretOf(request),
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? null,
    }
    const { attempt, outcome } = await finishSignIn(sso, ask, at)
    if (outcome instanceof SsoRefusal) return refuse(reply, outcome, attempt)
    reply.header('set-cookie', outcome.cookies)
    const told = new URLSearchParams(
      attempt?.mode === 'popup' ? { provider_id: outcome.providerId } : { origin: attempt?.place ?? '/' },
    )
    return reply.redirect(attempt?.mode === 'popup' ? `/oauth2/login/close#${told}` : `/oidc/entered?${told}`)
  })

  app.get('/api/sso/entered', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const headers = headersOf(request)
    headers.delete('impersonated-user')
    const viewer = await findViewer(sso.auth, sso.state, headers)
    if (!viewer) throw new Problem('unauthorized', 'Sign in to do this.')
    const entered = await findEntered(sso.state, viewer)
    if (!entered) throw new Problem('not_found', 'You did not come by single sign-on.')
    return entered
  })
}

const queryOf = (request: FastifyRequest): URLSearchParams => new URL(request.url, 'http://x').searchParams

/** A parameter of sensible length; control characters are no text. */
function textOf(query: URLSearchParams, name: string): string | null {
  const text = query.get(name)?.trim() ?? ''
  return text && text.length <= 2000 && !/\p{Cc}/u.test(text) ? text : null
}
