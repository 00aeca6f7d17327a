/** Signs the user out after this much inactivity in all tabs. */
export const idleTimeoutMs = 60 * 60_000
/** Activity is written to storage at most once per burst. */
export const activityDebounceMs = 500
/** Timers pause while the machine sleeps, so the deadline is also checked at this interval. */
const checkIntervalMs = 30_000

const activityEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'scroll', 'touchstart'] as const

/** Whether the last activity was too long ago. False without any: the user has just signed in. */
export const isIdle = (lastActivity: number | null, at: number): boolean =>
  lastActivity !== null && at - lastActivity >= idleTimeoutMs

export interface InactivityOptions {
  now: () => number
  lastActive: () => number | null
  onActivity: (at: number) => void
  /** Called after too much inactivity. */
  onIdle: () => void
  /** Called when another tab signed out and removed the time of the last activity. */
  onSignedOutElsewhere: () => void
  /** The source of activity events, and of storage events of other tabs. */
  page: Window
  storageKey: string
}

/**
 * Tracks activity in this tab and, through storage, in other tabs. Returns a function that stops tracking;
 * calling `onIdle` or `onSignedOutElsewhere` stops it too.
 */
export function trackInactivity({
  now,
  lastActive,
  onActivity,
  onIdle,
  onSignedOutElsewhere,
  page,
  storageKey,
}: InactivityOptions): () => void {
  let checkTimer: ReturnType<typeof setTimeout> | undefined
  let writeTimer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  const stop = () => {
    isStopped = true
    clearTimeout(checkTimer)
    clearTimeout(writeTimer)
    for (const name of activityEvents) page.removeEventListener(name, handleActivity, true)
    page.removeEventListener('storage', handleStorage)
    page.document.removeEventListener('visibilitychange', handleVisibility)
  }
  const stopAndCall = (callback: () => void) => {
    if (isStopped) return
    stop()
    callback()
  }
  function check() {
    clearTimeout(checkTimer)
    const lastActivity = lastActive()
    if (isIdle(lastActivity, now())) return stopAndCall(onIdle)
    checkTimer = setTimeout(check, Math.min(checkIntervalMs, (lastActivity ?? now()) + idleTimeoutMs - now()))
  }
  function handleActivity() {
    // Too late even if the timers did not run in time.
    if (isIdle(lastActive(), now())) return stopAndCall(onIdle)
    clearTimeout(writeTimer)
    writeTimer = setTimeout(() => onActivity(now()), activityDebounceMs)
  }
  function handleVisibility() {
    // A page that is being left becomes hidden too and must not start anything.
    if (page.document.visibilityState === 'visible') check()
  }
  function handleStorage({ key, newValue }: StorageEvent) {
    if (key === null || (key === storageKey && newValue === null)) stopAndCall(onSignedOutElsewhere)
    else if (key === storageKey) check()
  }
  if (isIdle(lastActive(), now())) {
    stopAndCall(onIdle)
    return stop
  }
  onActivity(now())
  for (const name of activityEvents)
    page.addEventListener(name, handleActivity, { capture: true, passive: true })
  page.addEventListener('storage', handleStorage)
  page.document.addEventListener('visibilitychange', handleVisibility)
  check()
  return stop
}
