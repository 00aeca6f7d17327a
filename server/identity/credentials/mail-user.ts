import { systemScope } from '../scope.ts'
import type { AuthParts } from '../auth-parts.ts'

/** Notifies a user by mail of a change of the account, in the background. */
export function mailUser(
  { state, mail, background }: AuthParts,
  userId: string,
  message: { subject: string; text: string },
): void {
  background.run('mail', async () => {
    const user = await state
      .as(systemScope)
      .selectFrom('user')
      .select('email')
      .where('id', '=', userId)
      .executeTakeFirst()
    if (user) await mail.send({ ...message, to: user.email })
  })
}
