import { auditCredential } from '../audit-credential.ts'
import type { AuthParts } from '../auth-parts.ts'
import { type AuthContext, getAddress } from '../credentials/auth-context.ts'
import { mailUser } from '../credentials/mail-user.ts'

type Factor = 'totp' | 'phone'
type Change = { added: Factor } | { removed: Factor } | { renewed: 'recovery codes' }

const formatAction = (change: Change): string =>
  'added' in change
    ? `second factor added: ${change.added}`
    : 'removed' in change
      ? `second factor removed: ${change.removed}`
      : 'recovery codes renewed'

/** Writes a change of a user's second factors to the audit log and notifies the user by mail. */
export async function notifyFactorChange(
  parts: AuthParts,
  ctx: Pick<AuthContext, 'path' | 'headers' | 'request'>,
  { userId, change, at }: { userId: string; change: Change; at: Date },
): Promise<void> {
  await auditCredential(parts.state, userId, {
    action: formatAction(change),
    path: ctx.path ?? '',
    address: getAddress(ctx),
    at,
  })
  mailUser(parts, userId, (texts) =>
    'added' in change
      ? texts.factorAdded(change.added)
      : 'removed' in change
        ? texts.factorRemoved(change.removed)
        : texts.recoveryCodesRenewed(),
  )
}
