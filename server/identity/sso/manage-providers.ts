import { randomUUID } from 'node:crypto'
import type { NewSignInProvider, SignInProvider } from '#contract/sign-in-providers.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from '../scope.ts'
import { checkProvider, checkUnclaimed } from './check-provider.ts'
import { secretPurpose } from './provider-clients.ts'
import { toAccountProvider, readProvider } from './read-provider.ts'
import type { Sso } from './sso.ts'

/** Adds a provider to the viewer's organization. @throws Problem if its discovery document cannot be used. */
export async function createProvider(
  sso: Pick<Sso, 'state' | 'secretBox' | 'fetch'>,
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
      sealed_secret: clientSecret ? sso.secretBox.seal(secretPurpose, clientSecret) : null,
      email_domains: JSON.stringify(emailDomains),
      creates_users: settings.creates_users,
      enabled: settings.enabled,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return readProvider(row)
}

export interface ProviderChange {
  name?: string | undefined
  issuer?: string | undefined
  client_id?: string | undefined
  /** An empty string removes the secret. */
  client_secret?: string | undefined
  email_domains?: string[] | undefined
  creates_users?: boolean | undefined
  enabled?: boolean | undefined
}

/** Changes a provider in the Scope. A new issuer requires a new secret and matches users by e-mail again. */
export async function changeProvider(
  sso: Pick<Sso, 'state' | 'secretBox' | 'fetch'>,
  scope: Scope,
  providerId: string,
  change: ProviderChange,
): Promise<SignInProvider> {
  const { state, secretBox } = sso
  const currentRow = await state
    .as(scope)
    .selectFrom('sign_in_provider')
    .selectAll()
    .where('provider_id', '=', providerId)
    .executeTakeFirstOrThrow(() => new Problem('not_found', 'There is no such sign-in provider.'))
  const settings = {
    issuer: change.issuer ?? currentRow.issuer,
    clientId: change.client_id ?? currentRow.client_id,
  }
  const isNewIssuer = new URL(settings.issuer).href !== new URL(currentRow.issuer).href
  // The stored secret must not be sent to another issuer.
  if (isNewIssuer && currentRow.sealed_secret && change.client_secret === undefined) {
    const message = 'Give the client secret again: the stored one belongs to the issuer before.'
    throw new Problem('validation_error', message, [{ path: 'body.client_secret', message }])
  }
  const storedSecret = currentRow.sealed_secret
    ? secretBox.open(secretPurpose, currentRow.sealed_secret)
    : null
  const clientSecret = change.client_secret === undefined ? storedSecret : change.client_secret || null
  const enabled = change.enabled ?? currentRow.enabled
  const needsDiscovery =
    isNewIssuer ||
    settings.clientId !== currentRow.client_id ||
    change.client_secret !== undefined ||
    (enabled && !currentRow.enabled)
  const issuer = needsDiscovery ? await checkProvider(sso, { ...settings, clientSecret }) : currentRow.issuer
  const emailDomains = change.email_domains ? [...new Set(change.email_domains)] : currentRow.email_domains
  await checkUnclaimed(sso, { providerId, issuer, emailDomains })
  const row = await state
    .as(scope)
    .updateTable('sign_in_provider')
    .set({
      name: change.name ?? currentRow.name,
      issuer,
      client_id: settings.clientId,
      email_domains: JSON.stringify(emailDomains),
      creates_users: change.creates_users ?? currentRow.creates_users,
      enabled,
      ...(change.client_secret === undefined
        ? {}
        : { sealed_secret: clientSecret ? secretBox.seal(secretPurpose, clientSecret) : null }),
    })
    .where('provider_id', '=', providerId)
    .returningAll()
    .executeTakeFirstOrThrow()
  // Links to the previous issuer are deleted: the same subject of another issuer is another person.
  if (isNewIssuer)
    await state
      .as(systemScope)
      .deleteFrom('account')
      .where('providerId', '=', toAccountProvider(providerId))
      .execute()
  return readProvider(row)
}

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
    .where('providerId', '=', toAccountProvider(providerId))
    .execute()
  return { deleted: true }
}
