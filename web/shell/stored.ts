import type { User } from '#contract/identity.ts'
import { impersonatedUserKey } from '#web/data/request-headers.ts'

/** What this browser keeps between visits (1-product, section 3). Never a token: the session is a cookie that scripts cannot read. */
export const storedKeys = {
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
  const kept: StoredUser = {
    id,
    email,
    name,
    organizationId,
    acceptedTermsOfService,
    providerData: (providerData ?? []).map(({ providerId }) => ({ providerId })),
  }
  localStorage.setItem(storedKeys.user, JSON.stringify(kept))
}

/** Who was here last; null if nobody, or if what is stored cannot be read. */
export function rememberedUser(): StoredUser | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storedKeys.user) ?? 'null')
    return typeof kept === 'object' && kept !== null && 'email' in kept ? (kept as StoredUser) : null
  } catch {
    return null
  }
}

export const forgetUser = (): void => localStorage.removeItem(storedKeys.user)

/** The region that was open last: where `/` leads to. */
export const rememberedRegion = (): string | null => localStorage.getItem(storedKeys.region)
export const rememberRegion = (regionId: string): void => localStorage.setItem(storedKeys.region, regionId)
export const forgetRegion = (): void => localStorage.removeItem(storedKeys.region)

/** When a signed-in user last did something in any tab, in milliseconds since 1970; null if nobody is known to be here. */
export function lastActive(): number | null {
  const at = Number(localStorage.getItem(storedKeys.lastActive) ?? Number.NaN)
  return Number.isFinite(at) ? at : null
}

/** Every sign-in begins with it: how long nobody was here before is no matter. */
export const noteActive = (at: number): void => localStorage.setItem(storedKeys.lastActive, String(at))

/** With it gone, the other tabs know that somebody signed out. */
export const forgetActive = (): void => localStorage.removeItem(storedKeys.lastActive)
