/** Codes that the browser is told; all that is about a user is one code, so that nobody learns who exists. */
export type SsoCode =
  | 'ISSUER_NOT_PROVIDED'
  | 'ISSUER_UNKNOWN'
  | 'DOMAIN_UNKNOWN'
  | 'ATTEMPT_INVALID'
  | 'PROVIDER_FAILED'
  | 'SIGN_IN_CANCELLED'
  | 'SIGN_IN_REFUSED'
  | 'TOO_MANY_ATTEMPTS'

/** A single sign-on that does not go on. */
export class SsoRefusal extends Error {
  override name = 'SsoRefusal'
  readonly code: SsoCode
  /** `reason` is for the log only; no tokens, codes or claims in it. */
  constructor(code: SsoCode, reason: string) {
    super(reason)
    this.code = code
  }
}
