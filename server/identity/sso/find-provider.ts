import { Problem } from '#server/http/problem.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'
import type { ProviderRow } from './read-provider.ts'

export type ProviderSelector = { providerId: string } | { issuer: string } | { emailDomain: string }

/** Finds an enabled provider of any organization; null if none matches or a domain has several. */
export async function findProvider(state: State, selector: ProviderSelector): Promise<ProviderRow | null> {
  const enabledProviders = state
    .as(systemScope)
    .selectFrom('sign_in_provider')
    .selectAll()
    .where('enabled', '=', true)
  if ('providerId' in selector)
    return (await enabledProviders.where('provider_id', '=', selector.providerId).executeTakeFirst()) ?? null
  if ('issuer' in selector) {
    // A trailing slash, often added or omitted by mistake, is ignored. An exact match takes precedence.
    const issuerWithoutSlash = selector.issuer.replace(/\/$/, '')
    const rows = await enabledProviders
      .where('issuer', 'in', [issuerWithoutSlash, `${issuerWithoutSlash}/`])
      .execute()
    return rows.find((row) => row.issuer === selector.issuer) ?? rows[0] ?? null
  }
  const rows = (await enabledProviders.execute()).filter((row) =>
    row.email_domains.includes(selector.emailDomain),
  )
  return rows.length === 1 ? (rows[0] ?? null) : null
}

/** Finds the id and name of an issuer's provider. Clients parse the codes that error messages begin with. */
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
