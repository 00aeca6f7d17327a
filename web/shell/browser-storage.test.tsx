import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  clearLastActive,
  forgetUser,
  readLastActive,
  rememberedRegion,
  rememberedUser,
  rememberRegion,
  rememberUser,
  storageKeys,
  type StoredUser,
  writeLastActive,
} from './browser-storage.ts'
import { forgetSession, impersonation, storeImpersonation } from './impersonation.ts'

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
  it('the last user is stored and cleared', () => {
    rememberUser(ada)
    expect(rememberedUser()).toEqual(ada)
    forgetUser()
    expect(rememberedUser()).toBeNull()
  })

  it('the last user is stored without any token of the response', () => {
    const response = {
      ...ada,
      token: 'secret',
      providerData: [{ providerId: 'password', accessToken: 'secret' }],
    }
    rememberUser(response)
    expect(localStorage.getItem(storageKeys.user)).not.toMatch(/token|secret/i)
  })

  it('the last user is null if the stored value is invalid', () => {
    for (const invalid of ['{', '"ada"', '{}', 'null']) {
      localStorage.setItem(storageKeys.user, invalid)
      expect(rememberedUser()).toBeNull()
    }
  })
})

it('uses distinct keys', () => {
  expect(new Set(Object.values(storageKeys)).size).toBe(8)
})

it('stores and clears the time of the last activity', () => {
  expect(readLastActive()).toBeNull()
  writeLastActive(1_800_000_000_000)
  expect(readLastActive()).toBe(1_800_000_000_000)
  clearLastActive()
  expect(readLastActive()).toBeNull()
  localStorage.setItem(storageKeys.lastActive, 'yesterday')
  expect(readLastActive()).toBeNull()
})

it('retains only the region after a sign-out', () => {
  storeImpersonation({ user_id: 'u2', user_email: 'bob@city.example' })
  rememberUser({
    id: 'u1',
    email: 'ada@city.example',
    name: 'Ada',
    organizationId: 'o',
    acceptedTermsOfService: true,
    providerData: [],
  })
  rememberRegion({ regionId: 'port-meridian', timezone: 'America/Chicago' })
  writeLastActive(1)
  localStorage.setItem(storageKeys.wantToEnroll, 'pending for after the next sign-in')
  forgetSession()
  expect([rememberedUser(), impersonation.read(), readLastActive(), rememberedRegion()]).toEqual([
    null,
    null,
    null,
    'port-meridian',
  ])
  expect(Object.keys(localStorage).toSorted()).toEqual([
    storageKeys.region,
    storageKeys.wantToEnroll,
    storageKeys.zone,
  ])
})
