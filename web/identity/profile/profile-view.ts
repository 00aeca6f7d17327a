import type { FactorKind } from '#web/data/second-factor.ts'

/** The views of the profile dialog. `isAgreed`: the user confirmed before a newer sign-in was required. */
export type ProfileView =
  | { at: 'overview'; done?: 'password' | 'removed' }
  | { at: 'password' }
  | { at: 'add'; kind: FactorKind }
  | { at: 'remove'; isAgreed?: boolean }
  | { at: 'codes' }
