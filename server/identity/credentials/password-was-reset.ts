import { mailTexts } from '#server/mail/mail-texts.ts'
import { auditCredential } from '../audit-credential.ts'
import type { AuthParts } from '../auth-parts.ts'
import { systemScope } from '../scope.ts'
import type { SignInAttempts } from '../sign-in-attempts.ts'
import { endCredentials } from '../end-credentials.ts'
import { mailUser } from './mail-user.ts'

/** A password was chosen by a link: an invited user has come, nothing delays the next sign-in, the user gets a mail. */
export async function passwordWasReset(
  parts: AuthParts,
  attempts: SignInAttempts,
  user: { id: string; email: string },
  address: string | null,
): Promise<void> {
  const at = parts.now()
  await parts.state
    .as(systemScope)
    .updateTable('user')
    .set({ invited: false, emailVerified: true })
    .where('id', '=', user.id)
    .execute()
  await endCredentials(parts.state, user.id)
  await attempts.succeed({ email: user.email, address: null }, at)
  await auditCredential(parts.state, user.id, {
    action: 'password reset',
    path: '/reset-password',
    address,
    at,
  })
  mailUser(parts, user.id, mailTexts.passwordChanged())
}
