import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getAuthErrorCode } from '#web/data/auth-call.ts'
import { now } from '#web/data/clock.ts'
import { sessionEnd } from '#web/data/signals.ts'
import { useMe } from '#web/shell/me.tsx'
import { getAuthErrorKey } from '../auth-error-key.ts'
import { storePendingAction, type PendingAction } from './pending-actions.ts'

/** The error code if the sign-in is too old to change second factors. */
const tooOldCode = 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN'

/**
 * Runs requests that change second factors; `fault` is the text of the last error. If the sign-in is too old
 * for that, signs the user out and stores `pendingAction`, which continues after the new sign-in.
 */
export function useFactorAction(pendingAction: PendingAction | null) {
  const { t } = useTranslation()
  const { user } = useMe()
  const [fault, setFault] = useState<string | null>(null)
  const [isPending, setIsPending] = useState(false)
  const run = async (request: () => Promise<void>): Promise<void> => {
    setFault(null)
    setIsPending(true)
    try {
      await request()
    } catch (error) {
      const code = getAuthErrorCode(error)
      if (code === tooOldCode) {
        if (pendingAction) storePendingAction(pendingAction, user.id, now())
        return sessionEnd.write({ reason: 'tooOld' })
      }
      if (code === 'UNAUTHORIZED') return sessionEnd.write({ reason: 'expired' })
      setFault(t(`identity:error.${getAuthErrorKey(error, 'setup')}`))
    } finally {
      setIsPending(false)
    }
  }
  return { run, fault, setFault, isPending }
}
