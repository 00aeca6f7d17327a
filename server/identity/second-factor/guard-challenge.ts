import { createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api'
import { auditCredential } from '../audit-credential.ts'
import { authError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { addressOf } from '../credentials/auth-context.ts'
import { rememberDevice } from '../known-device.ts'
import { recordSignIn } from '../record-sign-in.ts'
import { challengedUser } from './challenged-user.ts'
import { claimTotpCode } from './claim-totp-code.ts'
import { enrolledPhone } from './enrolled-phone.ts'
import { tidyRecoveryCode } from './recovery-codes.ts'
import { takeSmsTurn } from './take-sms-turn.ts'

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
      await takeSmsTurn(state, userId, at)
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
