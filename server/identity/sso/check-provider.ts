import { Problem } from '#server/http/problem.ts'
import { systemScope } from '../scope.ts'
import { discoverProvider, type ProviderSettings, UnusableProvider } from './discover-provider.ts'
import type { Sso } from './sso.ts'

const fault = (field: string, message: string): Problem =>
  new Problem('validation_error', message, [{ path: `body.${field}`, message }])

/** Reads the provider's discovery document; answers the issuer as the document writes it. Throws a validation Problem. */
export async function checkProvider(
  { fetch }: Pick<Sso, 'fetch'>,
  settings: ProviderSettings,
): Promise<string> {
  try {
    return (await discoverProvider(settings, fetch)).serverMetadata().issuer
  } catch (error) {
    if (error instanceof UnusableProvider) throw fault('issuer', error.message)
    throw error
  }
}

/** An issuer, and a domain, has one provider over all organizations: else one could send another's users to itself. Does not tell whose it is. */
export async function checkUnclaimed(
  { state }: Pick<Sso, 'state'>,
  own: { providerId: string | null; issuer: string; emailDomains: readonly string[] },
): Promise<void> {
  const rows = await state
    .as(systemScope)
    .selectFrom('sign_in_provider')
    .select(['provider_id', 'organization_id', 'issuer', 'email_domains'])
    .execute()
  const others = rows.filter((row) => row.provider_id !== own.providerId)
  if (others.some((row) => row.issuer === own.issuer))
    throw new Problem('conflict', 'This issuer is in use already.', [
      { path: 'body.issuer', message: 'This issuer is in use already.' },
    ])
  const taken = own.emailDomains.find((domain) => others.some((row) => row.email_domains.includes(domain)))
  if (taken)
    throw new Problem('conflict', `The domain ${taken} is in use already.`, [
      { path: 'body.email_domains', message: `The domain ${taken} is in use already.` },
    ])
}
