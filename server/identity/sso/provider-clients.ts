import type { Configuration } from 'openid-client'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import { discoverProvider } from './discover-provider.ts'
import type { ProviderRow } from './read-provider.ts'

/** Purpose under which client secrets are encrypted. */
export const secretPurpose = 'sign-in-provider'
/** Lifetime of a discovery document. Signing keys are also fetched again when a token has an unknown key. */
const cacheMs = 10 * 60_000

/** Caches clients of providers, discovered on first use, after ten minutes and after changed settings. */
export class ProviderClients {
  readonly #fetch: GuardedFetch
  readonly #secretBox: SecretBox
  readonly #cache = new Map<string, { untilMs: number; client: Promise<Configuration> }>()
  constructor(fetch: GuardedFetch, secretBox: SecretBox) {
    this.#fetch = fetch
    this.#secretBox = secretBox
  }

  /** Returns the client of a provider. @throws UnusableProvider. */
  getClient(
    row: Pick<ProviderRow, 'provider_id' | 'issuer' | 'client_id' | 'sealed_secret'>,
    at: Date,
  ): Promise<Configuration> {
    const key = JSON.stringify([row.provider_id, row.issuer, row.client_id, row.sealed_secret])
    for (const [cachedKey, { untilMs }] of this.#cache)
      if (untilMs <= at.getTime()) this.#cache.delete(cachedKey)
    const cached = this.#cache.get(key)
    if (cached) return cached.client
    const clientSecret = row.sealed_secret ? this.#secretBox.open(secretPurpose, row.sealed_secret) : null
    const client = discoverProvider(
      { issuer: row.issuer, clientId: row.client_id, clientSecret },
      this.#fetch,
    )
    this.#cache.set(key, { untilMs: at.getTime() + cacheMs, client })
    client.catch(() => this.#cache.delete(key))
    return client
  }
}
