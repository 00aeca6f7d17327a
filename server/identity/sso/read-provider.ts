import type { Selectable } from 'kysely'
import type { SignInProvider } from '#contract/sign-in-providers.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

export type ProviderRow = Selectable<StateTables['sign_in_provider']>

/** A provider as administrators see it: whether there is a secret, never which. */
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

/** What the accounts of a provider's users are called in the identity library's table. */
export const accountProvider = (providerId: string): string => `oidc:${providerId}`

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
