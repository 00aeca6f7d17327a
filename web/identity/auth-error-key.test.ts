import { describe, expect, it } from 'vitest'
import { ApiError } from '#web/data/api-error.ts'
import { libraryCodes, ourCodes } from '../../test/auth-codes.ts'
import { getAuthErrorKey } from './auth-error-key.ts'
import texts from './identity.en.json' with { type: 'json' }

const error = (status: number, code?: string) =>
  new ApiError({
    url: '/api/auth',
    method: 'POST',
    status,
    statusText: '',
    body: code ? { code } : null,
    request: null,
  })
const errorTexts: Record<string, string> = texts.error

describe('the text of an error', () => {
  it.each([
    [401, 'INVALID_EMAIL_OR_PASSWORD', 'wrong'],
    [401, undefined, 'wrong'],
    [403, 'EMAIL_NOT_VERIFIED', 'unverified'],
    [429, undefined, 'often'],
    [0, undefined, 'noAnswer'],
    [500, 'SOMETHING_NEW', 'other'],
    [400, 'constructor', 'other'],
  ])('at sign-in: %d %s reads as %s', (status, code, key) =>
    expect(getAuthErrorKey(error(status, code), 'login')).toBe(key),
  )

  it('prefers the code to the status', () => {
    expect(getAuthErrorKey(error(403, 'BANNED_USER'), 'login')).toBe('closed')
    expect(getAuthErrorKey(error(400, 'INVALID_EMAIL'), 'login')).toBe('email')
    expect(getAuthErrorKey(error(400, 'too_many_requests'), 'login')).toBe('often')
    expect(getAuthErrorKey(error(0, 'BANNED_USER'), 'login')).toBe('noAnswer')
  })

  it.each(ourCodes)('%s has its own text', (code) => {
    const key = getAuthErrorKey(error(400, code), 'login')
    expect(key).not.toBe('other')
    expect(errorTexts[key]).toMatch(/\w/)
  })

  it.each(libraryCodes)('%s of the library has a text, possibly the fallback', (code) => {
    for (const step of ['login', 'password', 'challenge', 'send', 'setup'] as const)
      expect(errorTexts[getAuthErrorKey(error(400, code), step)]).toMatch(/\w/)
  })

  it('names the failed step, in the specification’s words', () => {
    const fallback = (step: 'challenge' | 'setup') =>
      errorTexts[getAuthErrorKey(error(500, 'SOMETHING_NEW'), step)]
    expect([fallback('challenge'), fallback('setup')]).toEqual([
      'Error processing MFA',
      'Error during device setup',
    ])
  })

  it('distinguishes an unsupported factor from one that does not use text messages', () => {
    expect(errorTexts[getAuthErrorKey(error(400, 'UNSUPPORTED_FACTOR'), 'challenge')]).toBe(
      'Unsupported MFA type',
    )
    expect(errorTexts[getAuthErrorKey(error(400, 'UNSUPPORTED_FACTOR'), 'send')]).toBe(
      'Only SMS multi-factor is supported.',
    )
  })

  it('throws errors of the page itself', () => {
    expect(() => getAuthErrorKey(new TypeError('x'), 'login')).toThrow('x')
  })
})
