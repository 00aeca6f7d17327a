import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { authErrorCode } from '#web/data/auth-call.ts'
import { now } from '#web/data/clock.ts'
import { sessionEnd } from '#web/data/signals.ts'
import { useMe } from '#web/shell/me.tsx'
import { authErrorText } from '../auth-error-text.ts'
import { keepWish, type Wish } from './wishes.ts'

/** The code of who signed in too long ago to change second factors. */
const tooOld = 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN'

/**
 * Does something about second factors. `fault` is the text of what failed. Who signed in too long ago is signed out; what they
 * wanted is kept, so that it goes on after the new sign-in.
 */
export function useFactorAct(wish: Wish | null) {
  const { t } = useTranslation()
  const { user } = useMe()
  const [fault, setFault] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)

  const run = async (act: () => Promise<void>): Promise<void> => {
    setFault(null)
    setIsPending(true)
    try {
      await act()
    } catch (error) {
      const code = authErrorCode(error)
      if (code === tooOld) {
        if (wish) keepWish(wish, user.id, now())
        return sessionEnd.write({ reason: 'tooOld' })
      }
      if (code === 'UNAUTHORIZED') return sessionEnd.write({ reason: 'expired' })
      setFault(t(`identity:error.${authErrorText(error, 'setup')}`))
    } finally {
      setIsPending(false)
    }
  }
  return { run, fault, setFault, isPending }
}
