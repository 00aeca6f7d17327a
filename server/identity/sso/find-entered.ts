import type { Viewer } from '#server/http/viewer.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'
import { accountProvider } from './read-provider.ts'

/** The provider by which a user came last, for the browser to remember; null for who never came by one. */
export async function findEntered(
  state: State,
  viewer: Pick<Viewer, 'userId' | 'email' | 'scope'>,
): Promise<{ provider_id: string; name: string; email: string } | null> {
  const providers = await state
    .as(viewer.scope)
    .selectFrom('sign_in_provider')
    .select(['provider_id', 'name'])
    .where('enabled', '=', true)
    .execute()
  const accounts = await state
    .as(systemScope)
    .selectFrom('account')
    .select('providerId')
    .where('userId', '=', viewer.userId)
    .orderBy('updatedAt', 'desc')
    .execute()
  for (const { providerId } of accounts) {
    const provider = providers.find((each) => accountProvider(each.provider_id) === providerId)
    if (provider) return { ...provider, email: viewer.email }
  }
  return null
}
