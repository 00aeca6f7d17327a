import { auditCredential } from '../audit-credential.ts'
import type { AuthParts } from '../auth-parts.ts'
import { type AuthContext, getAddress } from '../credentials/auth-context.ts'
import { mailUser } from '../credentials/mail-user.ts'

type Factor = 'totp' | 'phone'
type Change = { added: Factor } | { removed: Factor } | { renewed: 'recovery codes' }

function formatAction(change: Change): string {
  if ('added' in change) return `second factor added: ${change.added}`
  if ('removed' in change) return `second factor removed: ${change.removed}`
  return 'recovery codes renewed'
}

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
  mailUser(parts, userId, (texts) => {
    if ('added' in change) return texts.factorAdded(change.added)
    if ('removed' in change) return texts.factorRemoved(change.removed)
    return texts.recoveryCodesRenewed()
  })
}
