import { storageKeys } from '#web/shell/browser-storage.ts'

/** What was under way when a newer sign-in was asked for, and goes on after it. */
export type Wish = 'enroll' | 'unenroll'

const keys: Record<Wish, string> = { enroll: storageKeys.wantToEnroll, unenroll: storageKeys.wantToUnenroll }

/** Who comes back later than this has forgotten what they wanted. */
const keptMs = 15 * 60_000

/** Keeps a wish of a user: for nobody else who signs in here. */
export const keepWish = (wish: Wish, userId: string, at: number): void =>
  localStorage.setItem(keys[wish], JSON.stringify({ userId, at }))

export const forgetWish = (wish: Wish): void => localStorage.removeItem(keys[wish])

/** Whether the user has the wish; one of others, or of long ago, is forgotten. */
export function hasWish(wish: Wish, userId: string, at: number): boolean {
  try {
    const kept = JSON.parse(localStorage.getItem(keys[wish]) ?? 'null') as {
      userId?: unknown
      at?: unknown
    } | null
    if (kept === null) return false
    const since = typeof kept.at === 'number' ? at - kept.at : Number.NaN
    if (kept.userId === userId && since >= 0 && since <= keptMs) return true
  } catch {
    // Not written by us.
  }
  forgetWish(wish)
  return false
}
