import { createSignal, type Signal } from '#web/data/signals.ts'
import { clearLastActive, forgetRegion, forgetUser, storageKeys } from './browser-storage.ts'

/** The user whom an administrator impersonates. */
export interface ImpersonatedUser {
  user_id: string
  user_email: string
}

function readStoredUser(): ImpersonatedUser | null {
  try {
    const stored = JSON.parse(
      localStorage.getItem(storageKeys.impersonatedUser) ?? 'null',
    ) as Partial<ImpersonatedUser> | null
    return typeof stored?.user_id === 'string' && typeof stored.user_email === 'string'
      ? { user_id: stored.user_id, user_email: stored.user_email }
      : null
  } catch {
    return null
  }
}

/** The impersonated user; null without impersonation. */
export const impersonation: Signal<ImpersonatedUser | null> = createSignal(readStoredUser())

/** Stores the impersonated user across visits, and clears the administrator's stored region and user. */
export function storeImpersonation({ user_id, user_email }: ImpersonatedUser): void {
  localStorage.setItem(storageKeys.impersonatedUser, JSON.stringify({ user_id, user_email }))
  forgetRegion()
  forgetUser()
  impersonation.write({ user_id, user_email })
}

/** Ends impersonation, clears what was stored for it, and reloads the page. */
export function endImpersonation(reload: () => void = () => location.reload()): void {
  localStorage.removeItem(storageKeys.impersonatedUser)
  forgetRegion()
  forgetUser()
  impersonation.write(null)
  reload()
}

/** Clears the stored user and impersonation after a sign-out. This also signs out the other tabs. */
export function forgetSession(): void {
  forgetUser()
  localStorage.removeItem(storageKeys.impersonatedUser)
  impersonation.write(null)
  clearLastActive()
}
