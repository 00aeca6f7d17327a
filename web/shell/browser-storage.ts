import type { User } from '#contract/identity.ts'
import { impersonatedUserKey } from '#web/data/request-headers.ts'

/** What this browser keeps between visits (1-product, section 3). Never a token: the session is a cookie that scripts cannot read. */
export const storageKeys = {
  region: 'publicway.region',
  user: 'publicway.user',
  impersonatedUser: impersonatedUserKey,
  lastActive: 'publicway.last-active',
  /** Where somebody was led away from by another site's sign-in, with its query. */
  params: 'publicway.params',
  wantToEnroll: 'publicway.want-to-enroll',
  wantToUnenroll: 'publicway.want-to-unenroll',
} as const

export type StoredUser = Pick<
  User,
  'id' | 'email' | 'name' | 'organizationId' | 'acceptedTermsOfService' | 'providerData'
>

/** Keeps who was here last, field by field, so that nothing else of an answer is ever stored. */
export function rememberUser({
  id,
  email,
  name,
  organizationId,
  acceptedTermsOfService,
  providerData,
}: StoredUser): void {
  const stored: StoredUser = {
    id,
    email,
    name,
    organizationId,
    acceptedTermsOfService,
    providerData: (providerData ?? []).map(({ providerId }) => ({ providerId })),
  }
  localStorage.setItem(storageKeys.user, JSON.stringify(stored))
}

/** Who was here last; null if nobody, or if what is stored cannot be read. */
export function rememberedUser(): StoredUser | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKeys.user) ?? 'null')
    return typeof stored === 'object' && stored !== null && 'email' in stored ? (stored as StoredUser) : null
  } catch {
    return null
  }
}

export const forgetUser = (): void => localStorage.removeItem(storageKeys.user)

/** The region that was open last: where `/` leads to. */
export const rememberedRegion = (): string | null => localStorage.getItem(storageKeys.region)
export const rememberRegion = (regionId: string): void => localStorage.setItem(storageKeys.region, regionId)
export const forgetRegion = (): void => localStorage.removeItem(storageKeys.region)

/** When a signed-in user last did something in any tab, in milliseconds since 1970; null if nobody is known to be here. */
export function readLastActive(): number | null {
  const at = Number(localStorage.getItem(storageKeys.lastActive) ?? Number.NaN)
  return Number.isFinite(at) ? at : null
}

/** Every sign-in begins with it: how long nobody was here before is no matter. */
export const writeLastActive = (at: number): void => localStorage.setItem(storageKeys.lastActive, String(at))

/** With it gone, the other tabs know that somebody signed out. */
export const clearLastActive = (): void => localStorage.removeItem(storageKeys.lastActive)
