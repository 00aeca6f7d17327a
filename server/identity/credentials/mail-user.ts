import { mailTexts } from '#server/mail/mail-texts.ts'
import type { AuthParts } from '../auth-parts.ts'
import { findLanguage } from '../find-user.ts'
import { systemScope } from '../scope.ts'

/** Sends a mail about the account to a user, in the background and in the user's language. */
export function mailUser(
  { state, mail, background }: AuthParts,
  userId: string,
  compose: (texts: (typeof mailTexts)['en-US']) => { subject: string; text: string },
): void {
  background.run('mail', async () => {
    const user = await state
      .as(systemScope)
      .selectFrom('user')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirst()
    if (user) await mail.send({ ...compose(mailTexts[await findLanguage(state, userId)]), to: user.email })
  })
}
