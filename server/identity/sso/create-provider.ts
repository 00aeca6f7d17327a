import { randomUUID } from 'node:crypto'
import type { NewSignInProvider, SignInProvider } from '#contract/sign-in-providers.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { checkProvider, checkUnclaimed } from './check-provider.ts'
import { secretPurpose } from './provider-clients.ts'
import { readProvider } from './read-provider.ts'
import type { Sso } from './sso.ts'

/** Adds a provider to the viewer's organization. Throws if its discovery document cannot be used. */
export async function createProvider(
  sso: Pick<Sso, 'state' | 'box' | 'fetch'>,
  { organizationId, scope }: Pick<Viewer, 'organizationId' | 'scope'>,
  settings: NewSignInProvider,
): Promise<SignInProvider> {
  const clientSecret = settings.client_secret || null
  const issuer = await checkProvider(sso, {
    issuer: settings.issuer,
    clientId: settings.client_id,
    clientSecret,
  })
  const emailDomains = [...new Set(settings.email_domains)]
  await checkUnclaimed(sso, { providerId: null, issuer, emailDomains })
  const row = await sso.state
    .as(scope)
    .insertInto('sign_in_provider')
    .values({
      provider_id: randomUUID(),
      organization_id: organizationId,
      name: settings.name,
      issuer,
      client_id: settings.client_id,
      sealed_secret: clientSecret ? sso.box.seal(secretPurpose, clientSecret) : null,
      email_domains: JSON.stringify(emailDomains),
      creates_users: settings.creates_users,
      enabled: settings.enabled,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return readProvider(row)
}
