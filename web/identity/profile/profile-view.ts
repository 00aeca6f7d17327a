import type { FactorKind } from '#web/data/second-factor.ts'

/** The views of the profile dialog. `isAgreed`: confirmed, before a newer sign-in was required. */
export type ProfileView =
  | { name: 'overview'; done?: 'password' | 'removed' }
  | { name: 'password' }
  | { name: 'add'; kind: FactorKind }
  | { name: 'remove'; isAgreed?: boolean }
  | { name: 'codes' }
