import { useCallback, useEffect, useState } from 'react'
import type { ApiError } from '#web/data/api-error.ts'
import { signOut } from '#web/data/session.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { forgetSession } from '#web/shell/impersonation.ts'
import { Redirect } from '#web/shell/redirect.tsx'

/** `/logout`: ends the session, here and in other tabs, clears cached responses, and leads to the root. */
export function LogoutScreen() {
  const [isOut, setIsOut] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const leave = useCallback(
    () =>
      signOut()
        .then(forgetSession)
        .then(() => setIsOut(true), setError),
    [],
  )
  useEffect(() => void leave(), [leave])
  if (isOut) return <Redirect to="/" />
  if (error)
    return (
      <ReadingPage>
        <FailedState error={error} onRetry={() => void leave()} />
      </ReadingPage>
    )
  return null
}
