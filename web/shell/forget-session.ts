import { impersonation } from './impersonation.ts'
import { forgetActive, forgetUser, storedKeys } from './stored.ts'

/** After a sign-out: the user and whom they looked on as are forgotten, and the other tabs leave too. */
export function forgetSession(): void {
  forgetUser()
  localStorage.removeItem(storedKeys.impersonatedUser)
  impersonation.write(null)
  forgetActive()
}
