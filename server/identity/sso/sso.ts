import type { Config } from '#server/config.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Log } from '#server/jobs/log.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import type { Auth } from '../auth.ts'
import { ProviderClients } from './provider-clients.ts'

/** Dependencies of single sign-on. */
export interface Sso {
  state: State
  auth: Auth
  secretBox: SecretBox
  fetch: GuardedFetch
  clients: ProviderClients
  publicUrl: Config['publicUrl']
  log: Log
}

/** Returns the path to which providers redirect. Those of one organization cannot respond for another. */
export const getCallbackPath = (organizationId: string): string => `/api/sso/callback/${organizationId}`

/** Creates the dependencies of single sign-on, with an empty cache of providers. */
export const openSso = (parts: Omit<Sso, 'clients'>): Sso => ({
  ...parts,
  clients: new ProviderClients(parts.fetch, parts.secretBox),
})

/** Codes for the browser. Reasons that concern a user share one, which does not disclose who exists. */
export type SsoCode =
  | 'ISSUER_NOT_PROVIDED'
  | 'ISSUER_UNKNOWN'
  | 'DOMAIN_UNKNOWN'
  | 'ATTEMPT_INVALID'
  | 'PROVIDER_FAILED'
  | 'SIGN_IN_CANCELLED'
  | 'SIGN_IN_REFUSED'
  | 'TOO_MANY_ATTEMPTS'

/** A single sign-on was refused. */
export class SsoRefusal extends Error {
  override name = 'SsoRefusal'
  readonly code: SsoCode
  /** `reason` is only logged and must not contain tokens, codes or claims. */
  constructor(code: SsoCode, reason: string) {
    super(reason)
    this.code = code
  }
}
