import { mailTexts } from '#server/mail/mail-texts.ts'
import { auditCredential } from '../audit-credential.ts'
import type { AuthParts } from '../auth-parts.ts'
import { type AuthContext, addressOf } from '../credentials/auth-context.ts'
import { mailUser } from '../credentials/mail-user.ts'

const factorNames = { totp: 'An authenticator app', phone: 'A phone number for text messages' }

type Change =
  | { added: keyof typeof factorNames }
  | { removed: keyof typeof factorNames }
  | { renewed: 'recovery codes' }

const actionOf = (change: Change): string =>
  'added' in change
    ? `second factor added: ${change.added}`
    : 'removed' in change
      ? `second factor removed: ${change.removed}`
      : 'recovery codes renewed'
const mailOf = (change: Change): { subject: string; text: string } =>
  'added' in change
    ? mailTexts.factorAdded(factorNames[change.added])
    : 'removed' in change
      ? mailTexts.factorRemoved(factorNames[change.removed])
      : mailTexts.recoveryCodesRenewed()

/** Writes a change of a user's second factors to the audit log and notifies the user by mail. */
export async function notifyFactorChange(
  parts: AuthParts,
  ctx: Pick<AuthContext, 'path' | 'headers' | 'request'>,
  userId: string,
  change: Change,
  at: Date,
): Promise<void> {
  await auditCredential(parts.state, userId, {
    action: actionOf(change),
    path: ctx.path ?? '',
    address: addressOf(ctx),
    at,
  })
  mailUser(parts, userId, mailOf(change))
}
