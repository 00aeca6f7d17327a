import { randomUUID } from 'node:crypto'
import type { NewSignInProvider, SignInProvider } from '#contract/sign-in-providers.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { checkProvider, checkUnclaimed } from './check-provider.ts'
import { secretPurpose } from './provider-clients.ts'
import { readProvider } from './read-provider.ts'
import type { Sso } from './sso.ts'

/** Adds a provider to the viewer's organization, once its discovery document could be read. */
export async function createProvider(
  sso: Pick<Sso, 'state' | 'box' | 'fetch'>,
  { organizationId, scope }: Pick<Viewer, 'organizationId' | 'scope'>,
  given: NewSignInProvider,
): Promise<SignInProvider> {
  const clientSecret = given.client_secret || null
  const issuer = await checkProvider(sso, { issuer: given.issuer, clientId: given.client_id, clientSecret })
  const emailDomains = [...new Set(given.email_domains)]
  await checkUnclaimed(sso, { providerId: null, issuer, emailDomains })
  const row = await sso.state
    .as(scope)
    .insertInto('sign_in_provider')
    .values({
      provider_id: randomUUID(),
      organization_id: organizationId,
      name: given.name,
      issuer,
      client_id: given.client_id,
      sealed_secret: clientSecret ? sso.box.seal(secretPurpose, clientSecret) : null,
      email_domains: JSON.stringify(emailDomains),
      creates_users: given.creates_users,
      enabled: given.enabled,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return readProvider(row)
}
