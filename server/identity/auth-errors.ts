import { APIError } from 'better-auth/api'
import { maxPasswordLength, minPasswordLength } from '#contract/password-rules.ts'

/** Status and message of credential errors. None for disabled accounts, which are not disclosed. */
export const authErrors = {
  INVALID_EMAIL_OR_PASSWORD: [401, 'The e-mail or the password is wrong.'],
  INVALID_PASSWORD: [400, 'The current password is wrong.'],
  PASSWORD_TOO_SHORT: [400, `The password needs at least ${minPasswordLength} characters.`],
  PASSWORD_TOO_LONG: [400, `The password may have at most ${maxPasswordLength} characters.`],
  PASSWORD_COMMON: [400, 'This password is one of the most common ones. Choose another one.'],
  NO_PASSWORD: [400, 'This account has no password: it signs in by single sign-on.'],
  INVALID_TOKEN: [400, 'This link was used already or is too old. Ask for a new one.'],
  TOO_MANY_ATTEMPTS: [429, 'Too many attempts. Wait a while and try again.'],
  CREDENTIAL_TOO_OLD_LOGIN_AGAIN: [403, 'You signed in too long ago for this. Sign in again.'],
  CHALLENGE_EXPIRED: [401, 'This sign-in took too long. Begin again with your password.'],
  INVALID_CODE: [400, 'The code is wrong.'],
  CODE_EXPIRED: [400, 'The code is too old. Ask for a new one.'],
  CODE_NOT_SENT: [502, 'The code could not be sent. Try again later.'],
  INVALID_PHONE_NUMBER: [400, 'The phone number needs its country code, as in +1 555 010 0100.'],
  UNSUPPORTED_FACTOR: [400, 'This account has no second factor of this kind.'],
  FACTOR_ALREADY_ENROLLED: [409, 'This account already has a second factor of this kind.'],
  UNAUTHORIZED: [401, 'Sign in to do this.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type AuthErrorCode = keyof typeof authErrors

export const createAuthErrorBody = (code: AuthErrorCode): { code: AuthErrorCode; message: string } => ({
  code,
  message: authErrors[code][1],
})

/** Creates the error that an endpoint throws. */
export const createAuthError = (code: AuthErrorCode): APIError =>
  new APIError(authErrors[code][0], createAuthErrorBody(code))

/** Creates the error of an exceeded rate limit, with the seconds for the header Retry-After. */
export const createTooManyAttemptsError = (seconds: number): APIError =>
  new APIError(429, createAuthErrorBody('TOO_MANY_ATTEMPTS'), { 'x-retry-after': String(seconds) })

/** Our error codes by those of the identity library. */
const codesByLibraryCode: Record<string, AuthErrorCode> = {
  INVALID_BACKUP_CODE: 'INVALID_CODE',
  OTP_HAS_EXPIRED: 'CODE_EXPIRED',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'TOO_MANY_ATTEMPTS',
  ACCOUNT_TEMPORARILY_LOCKED: 'TOO_MANY_ATTEMPTS',
  INVALID_TWO_FACTOR_COOKIE: 'CHALLENGE_EXPIRED',
  TOTP_NOT_ENABLED: 'UNSUPPORTED_FACTOR',
  OTP_NOT_ENABLED: 'UNSUPPORTED_FACTOR',
  BACKUP_CODES_NOT_ENABLED: 'UNSUPPORTED_FACTOR',
  SESSION_NOT_FRESH: 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN',
}

/** Returns our code for an error response of the identity library; null if there is none. */
export function toKnownAuthError(status: number, code: unknown): AuthErrorCode | null {
  if (status === 429) return 'TOO_MANY_ATTEMPTS'
  if (typeof code !== 'string') return null
  if (Object.hasOwn(codesByLibraryCode, code)) return codesByLibraryCode[code] ?? null
  return Object.hasOwn(authErrors, code) ? (code as AuthErrorCode) : null
}
