import { createAuthMiddleware, isAPIError } from 'better-auth/api'
import { auditCredential, recordSignIn } from '../audit-credential.ts'
import { createTooManyAttemptsError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { findKnownDevice, rememberDevice } from '../known-device.ts'
import { systemScope } from '../scope.ts'
import type { SignInAttempts } from './sign-in-attempts.ts'
import { getAddress } from './auth-context.ts'
import type { State } from '#server/stores/state.ts'
import { findFactors } from '../find-user.ts'

/** Finds the second factors of which a sign-in requires one, as enrolled, with the masked phone number. */
async function findSecondFactorMethods(state: State, userId: string) {
  const factors = await findFactors(state, userId)
  return {
    twoFactorRedirect: true,
    twoFactorMethods: factors.map(({ kind }) => (kind === 'totp' ? 'totp' : 'otp')),
    phoneHint: factors.find(({ kind }) => kind === 'phone')?.displayName ?? null,
  }
}

const path = '/sign-in/email'
const matcher = (context: { path?: string | undefined }): boolean => context.path === path

const readEmail = (body: unknown): string | null => {
  const { email } = (body ?? {}) as { email?: unknown }
  return typeof email === 'string' && email ? email.toLowerCase() : null
}

/**
 * Creates the hooks of the sign-in by e-mail and password. The first limits attempts; the second writes the
 * audit log and adds the list of second factors to the response.
 */
export function guardSignIn(parts: AuthParts, attempts: SignInAttempts) {
  const { state, background, now } = parts
  const findUserId = async (email: string): Promise<string | null> =>
    (
      await state
        .as(systemScope)
        .selectFrom('user')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirst()
    )?.id ?? null
  /**
   * Writes a refused sign-in to the audit log. Runs in the background, because only existing users have an
   * audit log and the response time must not disclose them.
   */
  const auditRefusal = (email: string, address: string | null, at: Date): void =>
    background.run('audit', async () => {
      const userId = await findUserId(email)
      if (userId)
        await auditCredential(state, userId, { action: 'sign-in refused', path, status: 401, address, at })
    })
  const before = createAuthMiddleware(async (ctx) => {
    const email = readEmail(ctx.body)
    if (!email) return
    const at = now()
    const seconds = await attempts.begin(
      { email, address: getAddress(ctx), device: await findKnownDevice(ctx, email) },
      at,
    )
    // Not written to the audit log, which anyone could fill with such attempts.
    if (seconds > 0) throw createTooManyAttemptsError(seconds)
  })
  const after = createAuthMiddleware(async (ctx) => {
    const email = readEmail(ctx.body)
    const returned: unknown = ctx.context.returned
    const at = now()
    const address = getAddress(ctx)
    if (!email) return
    if (isAPIError(returned)) {
      if (returned.statusCode === 401) auditRefusal(email, address, at)
      return
    }
    await attempts.succeed({ email, address, device: await findKnownDevice(ctx, email) }, at)
    const session = ctx.context.newSession
    if (session) {
      await rememberDevice(ctx, email)
      return recordSignIn(state, session.user.id, { path, address, at })
    }
    const userId = await findUserId(email)
    if (userId) return ctx.json(await findSecondFactorMethods(state, userId))
  })
  return { before: { matcher, handler: before }, after: { matcher, handler: after } }
}
