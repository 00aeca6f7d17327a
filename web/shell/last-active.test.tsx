import { beforeEach, expect, it } from 'vitest'
import { forgetSession } from './forget-session.ts'
import { impersonation, startImpersonation } from './impersonation.ts'
import {
  forgetActive,
  lastActive,
  noteActive,
  rememberRegion,
  rememberedRegion,
  rememberedUser,
  rememberUser,
  storedKeys,
} from './stored.ts'

beforeEach(() => localStorage.clear())

it('the time of the last act is kept, and forgotten', () => {
  expect(lastActive()).toBeNull()
  noteActive(1_800_000_000_000)
  expect(lastActive()).toBe(1_800_000_000_000)
  forgetActive()
  expect(lastActive()).toBeNull()
  localStorage.setItem(storedKeys.lastActive, 'yesterday')
  expect(lastActive()).toBeNull()
})

it('after a sign-out nothing is left of the user but the region', () => {
  startImpersonation({ user_id: 'u2', user_email: 'bob@city.example' })
  rememberUser({
    id: 'u1',
    email: 'ada@city.example',
    name: 'Ada',
    organizationId: 'o',
    acceptedTermsOfService: true,
    providerData: [],
  })
  rememberRegion('port-meridian')
  noteActive(1)
  localStorage.setItem(storedKeys.wantToEnroll, 'kept for after the next sign-in')
  forgetSession()
  expect([rememberedUser(), impersonation.read(), lastActive(), rememberedRegion()]).toEqual([
    null,
    null,
    null,
    'port-meridian',
  ])
  expect(Object.keys(localStorage).toSorted()).toEqual([storedKeys.region, storedKeys.wantToEnroll])
})
