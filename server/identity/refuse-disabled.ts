import type { State } from '#server/stores/state.ts'
import { authError } from './auth-errors.ts'
import { systemScope } from './scope.ts'

/** No session begins for a disabled user, by whatever way: said as of a wrong password, after the password has been looked at. */
export async function refuseDisabled(state: State, userId: string): Promise<void> {
  const user = await state
    .as(systemScope)
    .selectFrom('user')
    .select('disabled')
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user || user.disabled) throw authError('INVALID_EMAIL_OR_PASSWORD')
}
