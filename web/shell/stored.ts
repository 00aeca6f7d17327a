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
