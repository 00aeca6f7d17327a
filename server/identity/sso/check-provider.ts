import { Problem } from '#server/http/problem.ts'
import { systemScope } from '../scope.ts'
import { discoverProvider, type ProviderSettings, UnusableProvider } from './discover-provider.ts'
import type { Sso } from './sso.ts'

const makeFieldProblem = (field: string, message: string): Problem =>
  new Problem('validation_error', message, [{ path: `body.${field}`, message }])

/** Reads the provider's discovery document and returns its issuer. @throws Problem if it is unusable. */
export async function checkProvider(
  { fetch }: Pick<Sso, 'fetch'>,
  settings: ProviderSettings,
): Promise<string> {
  try {
    return (await discoverProvider(settings, fetch)).serverMetadata().issuer
  } catch (error) {
    if (error instanceof UnusableProvider) throw makeFieldProblem('issuer', error.message)
    throw error
  }
}

/**
 * Throws the Problem `conflict` if another provider, of any organization, has the same issuer or one of the
 * domains. Otherwise, an organization could redirect users of another one. Does not disclose the other
 * organization.
 */
export async function checkUnclaimed(
  { state }: Pick<Sso, 'state'>,
  provider: { providerId: string | null; issuer: string; emailDomains: readonly string[] },
): Promise<void> {
  const rows = await state
    .as(systemScope)
    .selectFrom('sign_in_provider')
    .select(['provider_id', 'organization_id', 'issuer', 'email_domains'])
    .execute()
  const otherProviders = rows.filter((row) => row.provider_id !== provider.providerId)
  if (otherProviders.some((row) => row.issuer === provider.issuer))
    throw new Problem('conflict', 'This issuer is in use already.', [
      { path: 'body.issuer', message: 'This issuer is in use already.' },
    ])
  const takenDomain = provider.emailDomains.find((domain) =>
    otherProviders.some((row) => row.email_domains.includes(domain)),
  )
  if (takenDomain)
    throw new Problem('conflict', `The domain ${takenDomain} is in use already.`, [
      { path: 'body.email_domains', message: `The domain ${takenDomain} is in use already.` },
    ])
}
