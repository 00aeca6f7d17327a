import { beforeEach, expect, it } from 'vitest'
import { forgetSession, impersonation, startImpersonation } from './impersonation.ts'
import {
  clearLastActive,
  readLastActive,
  writeLastActive,
  rememberRegion,
  rememberedRegion,
  rememberedUser,
  rememberUser,
  storageKeys,
} from './browser-storage.ts'

beforeEach(() => localStorage.clear())

it('the time of the last activity is stored and cleared', () => {
  expect(readLastActive()).toBeNull()
  writeLastActive(1_800_000_000_000)
  expect(readLastActive()).toBe(1_800_000_000_000)
  clearLastActive()
  expect(readLastActive()).toBeNull()
  localStorage.setItem(storageKeys.lastActive, 'yesterday')
  expect(readLastActive()).toBeNull()
})

it('after a sign-out only the region remains', () => {
  startImpersonation({ user_id: 'u2', user_email: 'bob@city.example' })
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
