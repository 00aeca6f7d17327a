import { impersonation } from './impersonation.ts'
import { clearLastActive, forgetUser, storageKeys } from './browser-storage.ts'

/** After a sign-out: the user and whom they looked on as are forgotten, and the other tabs leave too. */
export function forgetSession(): void {
  forgetUser()
  localStorage.removeItem(storageKeys.impersonatedUser)
  impersonation.write(null)
  clearLastActive()
}
