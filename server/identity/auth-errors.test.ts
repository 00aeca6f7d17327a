import { describe, expect, it } from 'vitest'
import {
  createAuthError,
  createAuthErrorBody,
  type AuthErrorCode,
  authErrors,
  toKnownAuthError,
} from './auth-errors.ts'

describe('errors of the credential calls', () => {
  it('are declared in one table', () => {
    for (const [code, [status, message]] of Object.entries(authErrors)) {
      const error = createAuthError(code as AuthErrorCode)
      expect([error.statusCode, error.body]).toEqual([status, { code, message }])
      expect(createAuthErrorBody(code as AuthErrorCode)).toEqual({ code, message })
      expect(toKnownAuthError(status, code)).toBe(code)
    }
  })

  it('do not disclose disabled accounts', () => {
    expect(Object.keys(authErrors).filter((code) => /DISABLED|BANNED|EXIST/.test(code))).toEqual([])
  })

  it('map from the codes of the library', () => {
    expect(toKnownAuthError(401, 'INVALID_BACKUP_CODE')).toBe('INVALID_CODE')
    expect(toKnownAuthError(400, 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE')).toBe('TOO_MANY_ATTEMPTS')
    // The library's rate limit by address has no code.
    expect(toKnownAuthError(429, undefined)).toBe('TOO_MANY_ATTEMPTS')
    for (const code of [undefined, null, 7, 'INVALID_ORIGIN', 'toString', '__proto__'])
      expect(toKnownAuthError(403, code)).toBeNull()
  })
})
