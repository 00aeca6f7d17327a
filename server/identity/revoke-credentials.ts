import type { State } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'

/** For a new password, or a user who may not come any more: whatever was open is closed, sessions, sign-ins half done and links for passwords. */
export async function revokeCredentials(state: State, userId: string): Promise<void> {
  await state.as(systemScope).deleteFrom('session').where('userId', '=', userId).execute()
  await revokeLinks(state, userId)
}

/** Ends half-finished sign-ins and password links of a user. */
export async function revokeLinks(state: State, userId: string): Promise<void> {
  // The identity library's own table, by whose value column it goes: who the challenge or the link is for.
  await state.execute('delete from verification where value = $1', [userId])
}
