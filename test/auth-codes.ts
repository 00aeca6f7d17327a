import { BASE_ERROR_CODES } from 'better-auth'
import { TWO_FACTOR_ERROR_CODES } from 'better-auth/plugins/two-factor'
import { authErrors } from '#server/identity/auth-errors.ts'

/** Error codes of the sign-in endpoints. */
export const ourCodes: readonly string[] = Object.keys(authErrors)

/** Error codes of the identity library; a response may contain some of them. */
export const libraryCodes: readonly string[] = [
  ...Object.keys(BASE_ERROR_CODES),
  ...Object.keys(TWO_FACTOR_ERROR_CODES),
]
