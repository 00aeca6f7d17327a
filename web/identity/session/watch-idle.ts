/** After so long without anything done, in any tab, the user is signed out (1-product, section 9). */
export const idleMs = 60 * 60_000
/** Acts in quick succession are noted once, when they pause. */
export const debounceMs = 500
/** A timer does not run while the machine sleeps: so it looks up now and then. */
const lookMs = 30_000

const acts = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'scroll', 'touchstart'] as const

/** Whether the time since the last act is too long; who has no last act yet has just come. */
export const isIdle = (last: number | null, at: number): boolean => last !== null && at - last >= idleMs

export interface IdleWatch {
  now: () => number
  lastActive: () => number | null
  noteActive: (at: number) => void
  /** Nothing was done for too long. */
  onIdle: () => void
  /** Another tab signed out: the time of the last act is gone. */
  onElsewhere: () => void
  /** Where acts, and changes of the storage by other tabs, are heard of. */
  page: Window
  storageKey: string
}

/** Watches for acts and for the lack of them, in this tab and by what the others note. Answers how to stop; it stops by itself once it told. */
export function watchIdle({
  now,
  lastActive,
  noteActive,
  onIdle,
  onElsewhere,
  page,
  storageKey,
}: IdleWatch): () => void {
  let looking: ReturnType<typeof setTimeout> | undefined
  let noting: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  const stop = () => {
    isOver = true
    clearTimeout(looking)
    clearTimeout(noting)
    for (const act of acts) page.removeEventListener(act, heard, true)
    page.removeEventListener('storage', changed)
    page.document.removeEventListener('visibilitychange', shown)
  }
  const end = (tell: () => void) => {
    if (isOver) return
    stop()
    tell()
  }
  function look() {
    clearTimeout(looking)
    const last = lastActive()
    if (isIdle(last, now())) return end(onIdle)
    looking = setTimeout(look, Math.min(lookMs, (last ?? now()) + idleMs - now()))
  }
  function heard() {
    // Whoever comes back too late is out already, however the timers ran.
    if (isIdle(lastActive(), now())) return end(onIdle)
    clearTimeout(noting)
    noting = setTimeout(() => noteActive(now()), debounceMs)
  }
  function shown() {
    // A page that is being left is hidden too: what it began then, the next one could not tell.
    if (page.document.visibilityState === 'visible') look()
  }
  function changed({ key, newValue }: StorageEvent) {
    if (key === null || (key === storageKey && newValue === null)) end(onElsewhere)
    else if (key === storageKey) look()
  }

  if (isIdle(lastActive(), now())) {
    end(onIdle)
    return stop
  }
  noteActive(now())
  for (const act of acts) page.addEventListener(act, heard, { capture: true, passive: true })
  page.addEventListener('storage', changed)
  page.document.addEventListener('visibilitychange', shown)
  look()
  return stop
}
