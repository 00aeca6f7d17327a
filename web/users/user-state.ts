import type { ManagedUser } from '#contract/users.ts'

export type UserState = 'active' | 'invited' | 'disabled'

/** A disabled user is out, whether they ever came or not. */
export const stateOf = ({ disabled, invited }: Pick<ManagedUser, 'disabled' | 'invited'>): UserState =>
  disabled ? 'disabled' : invited ? 'invited' : 'active'
