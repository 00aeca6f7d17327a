/** A value that others may watch; fits React's useSyncExternalStore. */
export interface Signal<T> {
  read: () => T
  write: (value: T) => void
  watch: (listener: () => void) => () => void
}

export function createSignal<T>(initialValue: T): Signal<T> {
  let current = initialValue
  const listeners = new Set<() => void>()
  return {
    read: () => current,
    write: (value) => {
      if (Object.is(value, current)) return
      current = value
      for (const listener of listeners) listener()
    },
    watch: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const expectedApiVersion = '48.68.0'

/** Whether the server speaks another version than this page was built for. */
export const hasVersionMismatch = createSignal(false)

/**
 * Why nobody is signed in any more: the server knows no session (`expired`), or it refuses the user whose session it is (`refused`);
 * nothing was done for too long (`idle`); another tab signed out (`elsewhere`); what was asked for needs a newer sign-in (`tooOld`).
 */
export type SessionEndReason = 'expired' | 'refused' | 'idle' | 'elsewhere' | 'tooOld'

/** The last end of a session that was noticed: a new object each time. */
export const sessionEnd = createSignal<{ reason: SessionEndReason } | null>(null)

/** Whether the last call got no answer at all. */
export const isServerUnreachable = createSignal(false)
