import { storageKeys } from '#web/shell/browser-storage.ts'

/** An action that required a newer sign-in and continues after it. */
export type PendingAction = 'enroll' | 'unenroll'

const pendingKeys: Record<PendingAction, string> = {
  enroll: storageKeys.wantToEnroll,
  unenroll: storageKeys.wantToUnenroll,
}

/** Older pending actions are ignored. */
const maxAgeMs = 15 * 60_000

/** Stores a pending action for this user only. */
export const storePendingAction = (action: PendingAction, userId: string, at: number): void =>
  localStorage.setItem(pendingKeys[action], JSON.stringify({ userId, at }))

export const forgetPendingAction = (action: PendingAction): void =>
  localStorage.removeItem(pendingKeys[action])

/** Whether this user has the pending action. Removes it if it is too old, malformed or of another user. */
export function hasPendingAction(action: PendingAction, userId: string, at: number): boolean {
  try {
    const stored = JSON.parse(localStorage.getItem(pendingKeys[action]) ?? 'null') as {
      userId?: unknown
      at?: unknown
    } | null
    if (stored === null) return false
    const ageMs = typeof stored.at === 'number' ? at - stored.at : Number.NaN
    if (stored.userId === userId && ageMs >= 0 && ageMs <= maxAgeMs) return true
  } catch {
    // Not written by this app.
  }
  forgetPendingAction(action)
  return false
}
