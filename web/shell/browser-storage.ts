import type { User } from '#contract/identity.ts'
import type { Region } from '#contract/regions.ts'
import { impersonatedUserKey } from '#web/data/request-headers.ts'

/** Keys of local storage. Never a token: the session is an HTTP-only cookie. */
export const storageKeys = {
  region: 'publicway.region',
  /** Time zone of the region that was last open. */
  zone: 'publicway.zone',
  user: 'publicway.user',
  impersonatedUser: impersonatedUserKey,
  lastActive: 'publicway.last-active',
  /** The URL to return to after a sign-in at another site. */
  params: 'publicway.params',
  /** Set while a user signs in again before a second factor is added or removed. */
  wantToEnroll: 'publicway.want-to-enroll',
  wantToUnenroll: 'publicway.want-to-unenroll',
} as const

/** What is stored of the last user. */
export type StoredUser = Pick<
  User,
  'id' | 'email' | 'name' | 'organizationId' | 'acceptedTermsOfService' | 'providerData'
>

/** Stores the last user field by field, so that no other part of a response is ever stored. */
export function rememberUser(user: StoredUser): void {
  const stored: StoredUser = {
    id: user.id,
    email: user.email,
    name: user.name,
    organizationId: user.organizationId,
    acceptedTermsOfService: user.acceptedTermsOfService,
    providerData: (user.providerData ?? []).map(({ providerId }) => ({ providerId })),
  }
  localStorage.setItem(storageKeys.user, JSON.stringify(stored))
}

/** Returns the last user; null if there is none or the stored value is invalid. */
export function rememberedUser(): StoredUser | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKeys.user) ?? 'null')
    return typeof stored === 'object' && stored !== null && 'email' in stored ? (stored as StoredUser) : null
  } catch {
    return null
  }
}

export const forgetUser = (): void => localStorage.removeItem(storageKeys.user)

/** Returns the id of the region that was last open, to which `/` redirects; null if there is none. */
export const rememberedRegion = (): string | null => localStorage.getItem(storageKeys.region)

/** Returns the time zone of the region if it was open last; else null. */
export const rememberedZone = (regionId: string): string | null =>
  rememberedRegion() === regionId ? localStorage.getItem(storageKeys.zone) : null

export function rememberRegion({ regionId, timezone }: Pick<Region, 'regionId' | 'timezone'>): void {
  localStorage.setItem(storageKeys.region, regionId)
  localStorage.setItem(storageKeys.zone, timezone)
}
export function forgetRegion(): void {
  localStorage.removeItem(storageKeys.region)
  localStorage.removeItem(storageKeys.zone)
}

/** Returns the time of the last activity in any tab, in ms since 1970; null if no user is signed in. */
export function readLastActive(): number | null {
  const time = Number(localStorage.getItem(storageKeys.lastActive) ?? Number.NaN)
  return Number.isFinite(time) ? time : null
}

/** Stores the time of an activity. Also called at every sign-in, so that earlier inactivity does not count. */
export const writeLastActive = (time: number): void =>
  localStorage.setItem(storageKeys.lastActive, String(time))

/** Removes the time of the last activity, from which the other tabs notice that the user signed out. */
export const clearLastActive = (): void => localStorage.removeItem(storageKeys.lastActive)
