import type { State } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'

/** Whether this server must ask the user for a second factor where the organization requires one: who has no password comes by single sign-on, whose provider asks. */
export async function secondFactorOwed(state: State, userId: string): Promise<boolean> {
  const password = await state
    .as(systemScope)
    .selectFrom('account')
    .select('id')
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  return password !== undefined
}
