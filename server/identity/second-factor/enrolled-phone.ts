import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'

/** The number of a user's enrolled phone; null if there is none. */
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
