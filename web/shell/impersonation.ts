import { signal, type Signal } from '#web/data/signals.ts'
import { forgetRegion, forgetUser, storedKeys } from './stored.ts'

/** Whom an administrator looks on as (1-product, section 3). */
export interface ImpersonatedUser {
  user_id: string
  user_email: string
}

function read(): ImpersonatedUser | null {
  try {
    const kept = JSON.parse(
      localStorage.getItem(storedKeys.impersonatedUser) ?? 'null',
    ) as Partial<ImpersonatedUser> | null
    return typeof kept?.user_id === 'string' && typeof kept.user_email === 'string'
      ? { user_id: kept.user_id, user_email: kept.user_email }
      : null
  } catch {
    return null
  }
}

/** Who is looked on as; null while everyone is themselves. */
export const impersonation: Signal<ImpersonatedUser | null> = signal(read())

/** Stores whom to look on as, and forgets the region and the user that were kept for oneself. */
export function startImpersonation({ user_id, user_email }: ImpersonatedUser): void {
  localStorage.setItem(storedKeys.impersonatedUser, JSON.stringify({ user_id, user_email }))
  forgetRegion()
  forgetUser()
  impersonation.write({ user_id, user_email })
}

/** Ends it: all that was kept is forgotten, and the page is loaded anew. */
export function endImpersonation(reload: () => void = () => location.reload()): void {
  localStorage.removeItem(storedKeys.impersonatedUser)
  forgetRegion()
  forgetUser()
  impersonation.write(null)
  reload()
}
