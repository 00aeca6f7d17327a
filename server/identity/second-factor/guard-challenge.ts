import { createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { auditCredential } from '../audit-credential.ts'
import { authError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { addressOf, type AuthContext } from '../credentials/auth-context.ts'
import { rememberDevice } from '../known-device.ts'
import { recordSignIn } from '../record-sign-in.ts'
import { enrolledPhone } from './enrolled-phone.ts'
import { tidyRecoveryCode } from './recovery-codes.ts'
import { checkSmsRateLimit } from './sms-rate-limit'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'
import { matchingStep } from './totp.ts'

/** Uses up the step of a right code before it is accepted; throws INVALID_CODE for one that was used: who looks over a shoulder comes too late. A wrong code is left to be counted. */
async function claimTotpCode(
  ctx: Pick<AuthContext, 'context'>,
  state: State,
  userId: string,
  code: string,
  at: Date,
): Promise<void> {
  const store = state.as(systemScope)
  const row = await store
    .selectFrom('twoFactor')
    .select('secret')
    .where('userId', '=', userId)
    .where('verified', '=', true)
    .executeTakeFirst()
  if (!row) return
  const step = matchingStep(
    await symmetricDecrypt({ key: ctx.context.secretConfig, data: row.secret }),
    code,
    at,
  )
  if (step === null) return
  const claimed = await store
    .updateTable('twoFactor')
    .set({ lastTotpStep: step })
    .where('userId', '=', userId)
    .where(({ eb, or }) => or([eb('lastTotpStep', 'is', null), eb('lastTotpStep', '<', step)]))
    .executeTakeFirst()
  if (!claimed.numUpdatedRows) throw authError('INVALID_CODE')
}

/** Who has given the password and now owes the second factor, by the cookie of the challenge; null where none is under way. */
async function challengedUser(ctx: AuthContext, at: Date): Promise<string | null> {
  const cookie = ctx.context.createAuthCookie('two_factor')
  const identifier = await ctx.getSignedCookie(cookie.name, ctx.context.secret)
  if (!identifier) return null
  const challenge = await ctx.context.internalAdapter.findVerificationValue(identifier)
  return challenge && challenge.expiresAt > at ? challenge.value : null
}

const matcher = (context: { path?: string | undefined }): boolean =>
  context.path?.startsWith('/two-factor/') === true

const codeIn = (body: unknown): string => {
  const { code } = (body ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code.trim() : ''
}

/** What stands around the step after the password. The library's calls serve signed-in users too, and past our rules: here they serve the challenge only. */
export function guardChallenge({ state, background, now }: AuthParts) {
  const before = createAuthMiddleware(async (ctx) => {
    const at = now()
    const userId = await challengedUser(ctx, at)
    if (!userId || (await getSessionFromCtx(ctx))) throw authError('CHALLENGE_EXPIRED')
    if (ctx.path === '/two-factor/send-otp') {
      if (!(await enrolledPhone(state, userId))) throw authError('UNSUPPORTED_FACTOR')
      await checkSmsRateLimit(state, userId, at)
      return { context: { body: {} } }
    }
    const typed = codeIn(ctx.body)
    const code =
      ctx.path === '/two-factor/verify-backup-code' ? tidyRecoveryCode(typed) : typed.replace(/\s/g, '')
    if (ctx.path === '/two-factor/verify-totp') await claimTotpCode(ctx, state, userId, code, at)
    // No device is trusted, and no code is spent without a sign-in.
    return { context: { body: { code, trustDevice: false, disableSession: false } } }
  })
  const after = createAuthMiddleware(async (ctx) => {
    const path = ctx.path ?? ''
    if (path === '/two-factor/send-otp') return
    const act = { path, address: addressOf(ctx), at: now() }
    const signedIn = ctx.context.newSession
    if (signedIn) {
      await rememberDevice(ctx, signedIn.user.email)
      return recordSignIn(state, signedIn.user.id, act)
    }
    if (!isAPIError(ctx.context.returned)) return
    const userId = await challengedUser(ctx, act.at)
    if (userId)
      background.run('audit', () =>
        auditCredential(state, userId, { ...act, action: 'sign-in refused', status: 401 }),
      )
  })
  return { before: { matcher, handler: before }, after: { matcher, handler: after } }
}
