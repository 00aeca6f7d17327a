import type { SignInProvider } from '#contract/sign-in-providers.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import { systemScope } from '../scope.ts'
import { checkProvider, checkUnclaimed } from './check-provider.ts'
import { secretPurpose } from './provider-clients.ts'
import { accountProvider, readProvider } from './read-provider.ts'
import type { Sso } from './sso.ts'

export interface ProviderChange {
  name?: string | undefined
  issuer?: string | undefined
  client_id?: string | undefined
  /** Empty takes the secret away. */
  client_secret?: string | undefined
  email_domains?: string[] | undefined
  creates_users?: boolean | undefined
  enabled?: boolean | undefined
}

/** Changes a provider in the Scope. A new issuer begins anew: it needs its own secret, and who came by the old one is matched again by e-mail. */
export async function changeProvider(
  sso: Pick<Sso, 'state' | 'box' | 'fetch'>,
  scope: Scope,
  providerId: string,
  change: ProviderChange,
): Promise<SignInProvider> {
  const { state, box } = sso
  const now = await state
    .as(scope)
    .selectFrom('sign_in_provider')
    .selectAll()
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
  if (!now) throw new Problem('not_found', 'There is no such sign-in provider.')
  const given = { issuer: change.issuer ?? now.issuer, clientId: change.client_id ?? now.client_id }
  const moves = new URL(given.issuer).href !== new URL(now.issuer).href
  // The secret must not reach a server that it was not meant for.
  if (moves && now.sealed_secret && change.client_secret === undefined) {
    const message = 'Give the client secret again: the stored one belongs to the issuer before.'
    throw new Problem('validation_error', message, [{ path: 'body.client_secret', message }])
  }
  const storedSecret = now.sealed_secret ? box.open(secretPurpose, now.sealed_secret) : null
  const clientSecret = change.client_secret === undefined ? storedSecret : change.client_secret || null
  const enabled = change.enabled ?? now.enabled
  const reads =
    moves ||
    given.clientId !== now.client_id ||
    change.client_secret !== undefined ||
    (enabled && !now.enabled)
  const issuer = reads ? await checkProvider(sso, { ...given, clientSecret }) : now.issuer
  const emailDomains = change.email_domains ? [...new Set(change.email_domains)] : now.email_domains
  await checkUnclaimed(sso, { providerId, issuer, emailDomains })
  const row = await state
    .as(scope)
    .updateTable('sign_in_provider')
    .set({
      name: change.name ?? now.name,
      issuer,
      client_id: given.clientId,
      email_domains: JSON.stringify(emailDomains),
      creates_users: change.creates_users ?? now.creates_users,
      enabled,
      ...(change.client_secret === undefined
        ? {}
        : { sealed_secret: clientSecret ? box.seal(secretPurpose, clientSecret) : null }),
    })
    .where('provider_id', '=', providerId)
    .returningAll()
    .executeTakeFirstOrThrow()
  // Another issuer's subjects are other people.
  if (moves)
    await state
      .as(systemScope)
      .deleteFrom('account')
      .where('providerId', '=', accountProvider(providerId))
      .execute()
  return readProvider(row)
}
