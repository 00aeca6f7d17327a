import type { Selectable } from 'kysely'
import type { SignInProvider } from '#contract/sign-in-providers.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { Store } from '#server/stores/state.ts'

export type ProviderRow = Selectable<StateTables['sign_in_provider']>

/** Converts a provider to its representation in the API, without the secret. */
export const readProvider = (row: ProviderRow): SignInProvider => ({
  id: row.provider_id,
  name: row.name,
  issuer: row.issuer,
  clientId: row.client_id,
  hasSecret: row.sealed_secret !== null,
  emailDomains: row.email_domains,
  createsUsers: row.creates_users,
  enabled: row.enabled,
})

/** Returns the identity library's `account.providerId` of the users of a provider. */
export const toAccountProvider = (providerId: string): string => `oidc:${providerId}`

/** Lists the providers of the Scope's organization, by name. */
export async function listProviders(store: Store): Promise<SignInProvider[]> {
  const rows = await store
    .selectFrom('sign_in_provider')
    .selectAll()
    .orderBy('name')
    .orderBy('provider_id')
    .execute()
  return rows.map(readProvider)
}
