import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import type { AuthParts } from '../auth-parts.ts'
import { rememberDevice } from '../known-device.ts'
import { finishPhone } from '../second-factor/finish-phone.ts'
import { finishTotp } from '../second-factor/finish-totp.ts'
import { guardChallenge } from '../second-factor/guard-challenge.ts'
import { PendingFactors } from '../second-factor/pending-factors.ts'
import { renewRecoveryCodes } from '../second-factor/renew-recovery-codes.ts'
import { startPhone } from '../second-factor/start-phone.ts'
import { startTotp } from '../second-factor/start-totp.ts'
import { unenrolFactor } from '../second-factor/unenrol-factor.ts'
import type { SignInAttempts } from '../sign-in-attempts.ts'
import { changePassword } from './change-password.ts'
import { guardSignIn } from './guard-sign-in.ts'
import { requestPasswordReset } from './request-password-reset.ts'

/** Our part of the identity library: its calls that we answer ourselves (the first two stand in for its own), those for second factors, and what stands around the others. */
export function credentialsPlugin(
  parts: AuthParts,
  attempts: SignInAttempts,
  resetBy: WeakMap<Request, string>,
) {
  const pending = new PendingFactors(parts.state, parts.box)
  const [signIn, challenge] = [guardSignIn(parts, attempts), guardChallenge(parts)]
  // Where a new password was chosen by a link, the next sign-in gets through whatever others try meanwhile.
  const afterReset = {
    matcher: (context: { path?: string | undefined }) => context.path === '/reset-password',
    handler: createAuthMiddleware(async (ctx) => {
      const email = ctx.request && resetBy.get(ctx.request)
      if (email) await rememberDevice(ctx, email)
    }),
  }
  return {
    id: 'credentials',
    endpoints: {
      requestPasswordReset: requestPasswordReset(parts),
      changePassword: changePassword(parts, attempts),
      startTotp: startTotp(parts, pending),
      finishTotp: finishTotp(parts, pending),
      startPhone: startPhone(parts, pending),
      finishPhone: finishPhone(parts, pending),
      unenrolFactor: unenrolFactor(parts),
      renewRecoveryCodes: renewRecoveryCodes(parts),
    },
    hooks: { before: [signIn.before, challenge.before], after: [signIn.after, challenge.after, afterReset] },
  } satisfies BetterAuthPlugin
}
