import type { State } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'

/** Ends sessions, unfinished sign-ins and password links of a user after a change of password or access. */
export async function revokeCredentials(state: State, userId: string): Promise<void> {
  await state.as(systemScope).deleteFrom('session').where('userId', '=', userId).execute()
  await revokeLinks(state, userId)
}

/** Ends unfinished sign-ins and password links of a user. */
export async function revokeLinks(state: State, userId: string): Promise<void> {
  // A table of the identity library; `value` is the id of the user of a challenge or link.
  await state.execute('delete from verification where value = $1', [userId])
}
