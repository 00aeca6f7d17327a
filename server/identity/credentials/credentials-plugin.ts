import type { BetterAuthPlugin } from 'better-auth'
import type { AuthParts } from '../auth-parts.ts'
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
export function credentialsPlugin(parts: AuthParts, attempts: SignInAttempts) {
  const pending = new PendingFactors(parts.state, parts.box)
  const [signIn, challenge] = [guardSignIn(parts, attempts), guardChallenge(parts)]
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
    hooks: { before: [signIn.before, challenge.before], after: [signIn.after, challenge.after] },
  } satisfies BetterAuthPlugin
}
