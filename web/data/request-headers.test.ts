// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest'
import { impersonatedUserKey, requestHeaders } from './request-headers.ts'

afterEach(() => localStorage.clear())

test('contain the impersonated user, if any', () => {
  expect(requestHeaders()).toEqual({})
  localStorage.setItem(impersonatedUserKey, JSON.stringify({ user_id: 'u-1', user_email: 'a@b.example' }))
  expect(requestHeaders()).toEqual({ 'impersonated-user': 'u-1' })
  for (const invalid of ['', '{', 'null', '7', '{"user_id":7}', '{"user_id":""}']) {
    localStorage.setItem(impersonatedUserKey, invalid)
    expect(requestHeaders()).toEqual({})
  }
})
