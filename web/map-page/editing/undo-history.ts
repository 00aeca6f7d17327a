/** The states of a session: past, current and undone ones. States are immutable. */
export interface UndoHistory<T> {
  past: readonly T[]
  now: T
  future: readonly T[]
}

/** Maximum number of steps that can be undone: enough for a day's work, and limits memory. */
const maxSteps = 500

export const startHistory = <T>(now: T): UndoHistory<T> => ({ past: [], now, future: [] })

/** Adds a state and discards the undone ones. Does nothing if the state is the same object. */
export const addStep = <T>(history: UndoHistory<T>, next: T): UndoHistory<T> =>
  Object.is(next, history.now)
    ? history
    : { past: [...history.past, history.now].slice(-maxSteps), now: next, future: [] }

export function undo<T>(history: UndoHistory<T>): UndoHistory<T> {
  const previous = history.past.at(-1)
  return previous === undefined
    ? history
    : { past: history.past.slice(0, -1), now: previous, future: [history.now, ...history.future] }
}

export function redo<T>(history: UndoHistory<T>): UndoHistory<T> {
  const [next, ...future] = history.future
  return next === undefined ? history : { past: [...history.past, history.now], now: next, future }
}
