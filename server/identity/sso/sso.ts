import type { Config } from '#server/config.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Log } from '#server/jobs/log.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import type { Auth } from '../auth.ts'
import type { ProviderClients } from './provider-clients.ts'

/** Dependencies of single sign-on. */
export interface Sso {
  state: State
  auth: Auth
  box: SecretBox
  fetch: GuardedFetch
  clients: ProviderClients
  publicUrl: Config['publicUrl']
  log: Log
}

/**
 * The path to which providers redirect. It differs by organization, so that a provider of one cannot respond
 * for another.
 */
export const callbackPath = (organizationId: string): string => `/api/sso/callback/${organizationId}`
