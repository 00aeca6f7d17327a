import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'
import { accountProvider } from './read-provider.ts'

/** Deletes a provider in the Scope and its links to users, but not the users. */
export async function deleteProvider(
  state: State,
  scope: Scope,
  providerId: string,
): Promise<{ deleted: boolean }> {
  await state
    .as(scope)
    .deleteFrom('sign_in_provider')
    .where('provider_id', '=', providerId)
    .returning('provider_id')
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such sign-in provider.'))
  await state
    .as(systemScope)
    .deleteFrom('account')
    .where('providerId', '=', accountProvider(providerId))
    .execute()
  return { deleted: true }
}
