import type { QueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { sessionEnd, type SessionEndReason } from '#web/data/signals.ts'
import { signOut } from '#web/data/session.ts'
import { forgetSession } from './forget-session.ts'

/** The server has to be told of these; it knows of the others. */
const ownEnds: readonly SessionEndReason[] = ['refused', 'idle', 'tooOld']
/** The sign-in page says these, so that nobody wonders. */
const toldEnds: readonly SessionEndReason[] = ['idle', 'tooOld']

/** When the session is over, leads to the sign-in page, which leads back here afterwards. Answers whether it is on the way: nothing is shown any more. */
export function useLeaveAtSessionEnd(client: QueryClient): boolean {
  const end = useSyncExternalStore(sessionEnd.watch, sessionEnd.read)
  const [first] = useState(end)
  const { href } = useLocation()
  const navigate = useNavigate()
  const isLeaving = end !== null && end !== first
  const hasLeft = useRef(false)

  const leave = useEffectEvent(async (reason: SessionEndReason) => {
    // Calls that went out together fail together: the first says it for all.
    if (hasLeft.current) return
    hasLeft.current = true
    // Without an answer the cookie is still there: the stale time of the last act keeps the next visitor out.
    const isOut =
      !ownEnds.includes(reason) ||
      (await signOut().then(
        () => true,
        () => false,
      ))
    client.clear()
    if (isOut && reason !== 'expired') forgetSession()
    await navigate({
      to: '/login',
      search: { origin: href, ...(toldEnds.includes(reason) ? { said: reason } : {}) },
      replace: true,
    })
  })
  useEffect(() => {
    if (end && isLeaving) void leave(end.reason)
  }, [end, isLeaving])
  return isLeaving
}
