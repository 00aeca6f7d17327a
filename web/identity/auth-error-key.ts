import { ApiError } from '#web/data/api-error.ts'
import { getAuthErrorCode } from '#web/data/auth-call.ts'

/** Keys of texts in `identity:error` by error code. Unknown accounts read like a wrong password. */
const keyByCode: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'wrong',
  USER_NOT_FOUND: 'wrong',
  ACCOUNT_NOT_FOUND: 'wrong',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'wrong',
  USER_EMAIL_NOT_FOUND: 'wrong',
  INVALID_USER: 'wrong',
  INVALID_EMAIL: 'email',
  // Only the address is validated before the server looks it up.
  VALIDATION_ERROR: 'email',
  EMAIL_NOT_VERIFIED: 'unverified',
  BANNED_USER: 'closed',
  INVALID_PASSWORD: 'currentPassword',
  PASSWORD_TOO_SHORT: 'short',
  PASSWORD_TOO_LONG: 'long',
  PASSWORD_COMMON: 'common',
  NO_PASSWORD: 'noPassword',
  INVALID_TOKEN: 'link',
  TOKEN_EXPIRED: 'link',
  TOO_MANY_ATTEMPTS: 'often',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'often',
  ACCOUNT_TEMPORARILY_LOCKED: 'often',
  TOO_MANY_REQUESTS: 'often',
  too_many_requests: 'often',
  CREDENTIAL_TOO_OLD_LOGIN_AGAIN: 'tooOld',
  SESSION_NOT_FRESH: 'tooOld',
  UNAUTHORIZED: 'signIn',
  SESSION_EXPIRED: 'signIn',
  CHALLENGE_EXPIRED: 'challenge',
  INVALID_TWO_FACTOR_COOKIE: 'challenge',
  INVALID_CODE: 'code',
  INVALID_BACKUP_CODE: 'code',
  CODE_EXPIRED: 'codeExpired',
  OTP_HAS_EXPIRED: 'codeExpired',
  CODE_NOT_SENT: 'notSent',
  INVALID_PHONE_NUMBER: 'phone',
  FACTOR_ALREADY_ENROLLED: 'enrolled',
  TOTP_ALREADY_ENABLED: 'enrolled',
  UNSUPPORTED_FACTOR: 'unsupported',
  TWO_FACTOR_NOT_ENABLED: 'unsupported',
  TOTP_NOT_ENABLED: 'unsupported',
  OTP_NOT_ENABLED: 'unsupported',
  BACKUP_CODES_NOT_ENABLED: 'unsupported',
  TOTP_NOT_CONFIGURED: 'unsupported',
  OTP_NOT_CONFIGURED: 'unsupported',
  INVALID_ORIGIN: 'origin',
  MISSING_OR_NULL_ORIGIN: 'origin',
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 'origin',
}

/** Keys of texts for errors without a specific one, by step of the sign-in. */
const fallbackKeys = {
  login: 'other',
  password: 'other',
  challenge: 'processing',
  send: 'notSent',
  setup: 'setup',
} as const

/**
 * Returns the key of a text in `identity:error` for a failed step of the sign-in.
 * @throws `error` itself if it is no ApiError
 */
export function getAuthErrorKey(error: unknown, step: keyof typeof fallbackKeys): string {
  if (!(error instanceof ApiError)) throw error
  if (error.status === 0) return 'noAnswer'
  const code = getAuthErrorCode(error) ?? ''
  // Codes are sent as text messages only: requests for other factors get their own text.
  if (step === 'send' && keyByCode[code] === 'unsupported') return 'onlySms'
  if (Object.hasOwn(keyByCode, code)) return keyByCode[code] ?? fallbackKeys[step]
  if (error.status === 429) return 'often'
  return step === 'login' && error.status === 401 ? 'wrong' : fallbackKeys[step]
}
