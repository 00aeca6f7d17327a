import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgetUser, rememberedUser, rememberUser, storageKeys, type StoredUser } from './browser-storage.ts'

const ada: StoredUser = {
  id: 'u1',
  email: 'ada@city.example',
  name: 'Ada',
  organizationId: '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e',
  acceptedTermsOfService: true,
  providerData: [{ providerId: 'password' }],
}
beforeEach(() => localStorage.clear())
afterEach(() => localStorage.clear())

describe('the last user', () => {
  it('is stored and cleared', () => {
    rememberUser(ada)
    expect(rememberedUser()).toEqual(ada)
    forgetUser()
    expect(rememberedUser()).toBeNull()
  })

  it('is stored without any token of the response', () => {
    const response = {
      ...ada,
      token: 'secret',
      providerData: [{ providerId: 'password', accessToken: 'secret' }],
    }
    rememberUser(response)
    expect(localStorage.getItem(storageKeys.user)).not.toMatch(/token|secret/i)
  })

  it('is null if the stored value is invalid', () => {
    for (const invalid of ['{', '"ada"', '{}', 'null']) {
      localStorage.setItem(storageKeys.user, invalid)
      expect(rememberedUser()).toBeNull()
    }
  })
})

it('keys are distinct', () => {
  expect(new Set(Object.values(storageKeys)).size).toBe(8)
})
