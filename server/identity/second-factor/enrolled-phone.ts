import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'

/** The number that a user's codes go to, if a phone is enrolled. */
export async function enrolledPhone(state: State, userId: string): Promise<string | null> {
  const row = await state
    .as(systemScope)
    .selectFrom('enrolled_factor')
    .select('phone_number')
    .where('user_id', '=', userId)
    .where('kind', '=', 'phone')
    .executeTakeFirst()
  return row?.phone_number ?? null
}
