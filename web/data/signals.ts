/** A value with listeners, compatible with React's useSyncExternalStore. */
export interface Signal<T> {
  read: () => T
  write: (value: T) => void
  watch: (listener: () => void) => () => void
}

/** Creates a value that notifies its listeners when it changes. */
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

/** The API version that this page was built for. */
export const expectedApiVersion = '48.68.0'

/** Whether the API version of the server differs from the one that this page was built for. */
export const hasVersionMismatch = createSignal(false)

/**
 * Why the session ended: unknown to the server (`expired`), its user is refused (`refused`), inactivity
 * (`idle`), signed out in another tab (`elsewhere`), or an action requires a more recent sign-in (`tooOld`).
 */
export type SessionEndReason = 'expired' | 'refused' | 'idle' | 'elsewhere' | 'tooOld'

/** The last observed end of a session, as a new object each time. */
export const sessionEnd = createSignal<{ reason: SessionEndReason } | null>(null)

/** Whether the last call got no response. */
export const isServerUnreachable = createSignal(false)
