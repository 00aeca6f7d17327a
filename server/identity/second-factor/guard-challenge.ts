import { createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { auditCredential, recordSignIn } from '../audit-credential.ts'
import { createAuthError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { getAddress, type AuthContext } from '../credentials/auth-context.ts'
import { rememberDevice } from '../known-device.ts'
import { checkSmsRateLimit, findEnrolledPhone } from './phone-factor.ts'
import { normalizeRecoveryCode } from './recovery-codes.ts'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'
import { findMatchingStep } from './totp.ts'

/**
 * Marks the time step of a correct code as used. Wrong codes are left to the library, which counts them.
 * @throws INVALID_CODE if it was used before (RFC 6238, section 5.2).
 */
async function claimTotpCode(
  ctx: Pick<AuthContext, 'context'>,
  state: State,
  { userId, code, at }: { userId: string; code: string; at: Date },
): Promise<void> {
  const store = state.as(systemScope)
  const row = await store
    .selectFrom('twoFactor')
    .select('secret')
    .where('userId', '=', userId)
    .where('verified', '=', true)
    .executeTakeFirst()
  if (!row) return
  const step = findMatchingStep(
    await symmetricDecrypt({ key: ctx.context.secretConfig, data: row.secret }),
    code,
    at,
  )
  if (step === null) return
  const claimResult = await store
    .updateTable('twoFactor')
    .set({ lastTotpStep: step })
    .where('userId', '=', userId)
    .where(({ eb, or }) => or([eb('lastTotpStep', 'is', null), eb('lastTotpStep', '<', step)]))
    .executeTakeFirst()
  if (!claimResult.numUpdatedRows) throw createAuthError('INVALID_CODE')
}

/** Finds the id of the user who must pass the challenge, from its cookie; null if there is no challenge. */
async function findChallengedUser(ctx: AuthContext, at: Date): Promise<string | null> {
  const cookie = ctx.context.createAuthCookie('two_factor')
  const identifier = await ctx.getSignedCookie(cookie.name, ctx.context.secret)
  if (!identifier) return null
  const challenge = await ctx.context.internalAdapter.findVerificationValue(identifier)
  return challenge && challenge.expiresAt > at ? challenge.value : null
}

const matcher = (context: { path?: string | undefined }): boolean =>
  context.path?.startsWith('/two-factor/') === true

const readCode = (body: unknown): string => {
  const { code } = (body ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code.trim() : ''
}

/**
 * Creates the hooks of the challenge. The library would also accept these calls from signed-in users, who
 * could bypass our rules for changes of factors, so the hooks limit them to the challenge.
 */
export function guardChallenge({ state, background, now }: AuthParts) {
  const before = createAuthMiddleware(async (ctx) => {
    const at = now()
    const userId = await findChallengedUser(ctx, at)
    if (!userId || (await getSessionFromCtx(ctx))) throw createAuthError('CHALLENGE_EXPIRED')
    if (ctx.path === '/two-factor/send-otp') {
      if (!(await findEnrolledPhone(state, userId))) throw createAuthError('UNSUPPORTED_FACTOR')
      await checkSmsRateLimit(state, userId, at)
      return { context: { body: {} } }
    }
    const enteredCode = readCode(ctx.body)
    const code =
      ctx.path === '/two-factor/verify-backup-code'
        ? normalizeRecoveryCode(enteredCode)
        : enteredCode.replace(/\s/g, '')
    if (ctx.path === '/two-factor/verify-totp') await claimTotpCode(ctx, state, { userId, code, at })
    // Devices are never trusted, and every accepted code opens a session.
    return { context: { body: { code, trustDevice: false, disableSession: false } } }
  })
  const after = createAuthMiddleware(async (ctx) => {
    const path = ctx.path ?? ''
    if (path === '/two-factor/send-otp') return
    const event = { path, address: getAddress(ctx), at: now() }
    const session = ctx.context.newSession
    if (session) {
      await rememberDevice(ctx, session.user.email)
      return recordSignIn(state, session.user.id, event)
    }
    if (!isAPIError(ctx.context.returned)) return
    const userId = await findChallengedUser(ctx, event.at)
    if (userId)
      background.run('audit', () =>
        auditCredential(state, userId, { ...event, action: 'sign-in refused', status: 401 }),
      )
  })
  return { before: { matcher, handler: before }, after: { matcher, handler: after } }
}
