import { systemScope } from '#server/identity/scope.ts'
import type { AuthParts } from '../auth-parts.ts'

/** Tells a user by mail what happened to the account; nobody waits for it. */
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
