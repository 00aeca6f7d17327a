import { Problem } from '#server/http/problem.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'
import type { ProviderRow } from './read-provider.ts'

export type WhichProvider = { providerId: string } | { issuer: string } | { emailDomain: string }

/** An enabled provider of whatever organization; null where there is none, or where it is not plain which. */
export async function findProvider(state: State, which: WhichProvider): Promise<ProviderRow | null> {
  const enabled = state.as(systemScope).selectFrom('sign_in_provider').selectAll().where('enabled', '=', true)
  if ('providerId' in which)
    return (await enabled.where('provider_id', '=', which.providerId).executeTakeFirst()) ?? null
  if ('issuer' in which) {
    // Issuers with and without a slash at the end are often mistaken for one another, and no two of ours differ by it alone.
    const bare = which.issuer.replace(/\/$/, '')
    const rows = await enabled.where('issuer', 'in', [bare, `${bare}/`]).execute()
    return rows.find((row) => row.issuer === which.issuer) ?? rows[0] ?? null
  }
  const rows = (await enabled.execute()).filter((row) => row.email_domains.includes(which.emailDomain))
  return rows.length === 1 ? (rows[0] ?? null) : null
}

/** The provider of an issuer by its public name. The codes are the specification's (1-product, section 8). */
export async function findOidcConfig(
  state: State,
  issuer: string | undefined,
): Promise<{ gidp_provider_id: string; name: string }> {
  if (!issuer?.trim())
    throw new Problem('bad_request', 'ISSUER_NOT_PROVIDED: The parameter oidc_issuer_url is missing.')
  const row = await findProvider(state, { issuer: issuer.trim() })
  if (!row)
    throw new Problem('not_found', 'ISSUER_UNKNOWN: There is no single sign-on provider with this issuer.')
  return { gidp_provider_id: row.provider_id, name: row.name }
}
