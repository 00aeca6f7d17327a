import type { SignInProvider } from '#contract/sign-in-providers.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { readProvider } from './read-provider.ts'

/** The providers of the own organization, by name. */
export async function listProviders(state: State, scope: Scope): Promise<SignInProvider[]> {
  const rows = await state
    .as(scope)
    .selectFrom('sign_in_provider')
    .selectAll()
    .orderBy('name')
    .orderBy('provider_id')
    .execute()
  return rows.map(readProvider)
}
