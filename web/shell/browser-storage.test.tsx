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

describe('who was here last', () => {
  it('is kept, and forgotten', () => {
    rememberUser(ada)
    expect(rememberedUser()).toEqual(ada)
    forgetUser()
    expect(rememberedUser()).toBeNull()
  })

  it('is kept without any token, whatever the answer held', () => {
    const answer = {
      ...ada,
      token: 'secret',
      providerData: [{ providerId: 'password', accessToken: 'secret' }],
    }
    rememberUser(answer)
    expect(localStorage.getItem(storageKeys.user)).not.toMatch(/token|secret/i)
  })

  it('is nobody where what is stored cannot be read', () => {
    for (const broken of ['{', '"ada"', '{}', 'null']) {
      localStorage.setItem(storageKeys.user, broken)
      expect(rememberedUser()).toBeNull()
    }
  })
})

it('each thing has its own key', () => {
  expect(new Set(Object.values(storageKeys)).size).toBe(7)
})
