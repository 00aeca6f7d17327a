import { impersonation } from './impersonation.ts'
import { clearLastActive, forgetUser, storageKeys } from './browser-storage.ts'

/** Clears the stored user and impersonation after a sign-out, which also signs out the other tabs. */
export function forgetSession(): void {
  forgetUser()
  localStorage.removeItem(storageKeys.impersonatedUser)
  impersonation.write(null)
  clearLastActive()
}
