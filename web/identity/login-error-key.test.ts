import { expect, it } from 'vitest'
import { ApiError } from '#web/data/api-error.ts'
import { loginErrorKey } from './login-error-key.ts'

const error = (status: number, code?: string) => new ApiError({ url: '/api/auth', method: 'POST', status, statusText: '', body: code ? { code } : null, request: null })

it.each([
  [401, 'INVALID_EMAIL_OR_PASSWORD', 'wrong'],
  [401, undefined, 'wrong'],
  [403, 'EMAIL_NOT_VERIFIED', 'unverified'],
  [429, undefined, 'often'],
  [0, undefined, 'noAnswer'],
  [500, 'SOMETHING_NEW', 'other'],
])('%d %s reads as %s', (status, code, key) => expect(loginErrorKey(error(status, code))).toBe(key))

it('believes the code more than the status', () => {
  expect(loginErrorKey(error(403, 'BANNED_USER'))).toBe('closed')
  expect(loginErrorKey(error(400, 'INVALID_EMAIL'))).toBe('email')
  expect(loginErrorKey(error(400, 'too_many_requests'))).toBe('often')
})

it('says that there was no answer even where a code is left of an earlier one', () => {
  expect(loginErrorKey(error(0, 'BANNED_USER'))).toBe('noAnswer')
})
