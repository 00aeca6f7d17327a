/**
 * Codes that are sent to the browser. All reasons about a user have one code, so that no users are disclosed.
 */
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
