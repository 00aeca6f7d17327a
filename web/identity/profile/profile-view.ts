import type { FactorKind } from '#web/data/second-factor.ts'

/** What the profile's dialog shows. `isAgreed`: the user said yes before a newer sign-in was asked for. */
export type ProfileView =
  | { at: 'overview'; done?: 'password' | 'removed' }
  | { at: 'password' }
  | { at: 'add'; kind: FactorKind }
  | { at: 'remove'; isAgreed?: boolean }
  | { at: 'codes' }
