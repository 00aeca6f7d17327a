import { storedKeys } from './stored.ts'

/** When a signed-in user last did something in any tab, in milliseconds since 1970; null if nobody is known to be here. */
export function lastActive(): number | null {
  const at = Number(localStorage.getItem(storedKeys.lastActive) ?? Number.NaN)
  return Number.isFinite(at) ? at : null
}

/** Every sign-in begins with it: how long nobody was here before is no matter. */
export const noteActive = (at: number): void => localStorage.setItem(storedKeys.lastActive, String(at))

/** With it gone, the other tabs know that somebody signed out. */
export const forgetActive = (): void => localStorage.removeItem(storedKeys.lastActive)
