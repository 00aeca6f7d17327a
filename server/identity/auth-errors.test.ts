import { describe, expect, it } from 'vitest'
import { authError, authErrorBody, type AuthErrorCode, authErrors, knownAuthError } from './auth-errors.ts'

describe('errors of the credential calls', () => {
  it('are declared in one table', () => {
    for (const [code, [status, message]] of Object.entries(authErrors)) {
      const error = authError(code as AuthErrorCode)
      expect([error.statusCode, error.body]).toEqual([status, { code, message }])
      expect(authErrorBody(code as AuthErrorCode)).toEqual({ code, message })
      expect(knownAuthError(status, code)).toBe(code)
    }
  })

  it('do not disclose disabled accounts', () => {
    expect(Object.keys(authErrors).filter((code) => /DISABLED|BANNED|EXIST/.test(code))).toEqual([])
  })

  it('map from the codes of the library', () => {
    expect(knownAuthError(401, 'INVALID_BACKUP_CODE')).toBe('INVALID_CODE')
    expect(knownAuthError(400, 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE')).toBe('TOO_MANY_ATTEMPTS')
    // The library's rate limit by address has no code.
    expect(knownAuthError(429, undefined)).toBe('TOO_MANY_ATTEMPTS')
    for (const code of [undefined, null, 7, 'INVALID_ORIGIN', 'toString', '__proto__'])
      expect(knownAuthError(403, code)).toBeNull()
  })
})
