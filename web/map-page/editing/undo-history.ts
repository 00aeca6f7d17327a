/** States of a session, with those before and those that were undone. States are never changed, only replaced. */
export interface UndoHistory<T> {
  past: readonly T[]
  now: T
  future: readonly T[]
}

/** Steps that can be undone: enough for a day's work, bounded for its memory. */
const maxSteps = 500

export const begin = <T>(now: T): UndoHistory<T> => ({ past: [], now, future: [] })

/** A step discards what was undone before it. The same state is no step. */
export const step = <T>(history: UndoHistory<T>, next: T): UndoHistory<T> =>
  Object.is(next, history.now)
    ? history
    : { past: [...history.past, history.now].slice(-maxSteps), now: next, future: [] }

export function undo<T>(history: UndoHistory<T>): UndoHistory<T> {
  const before = history.past.at(-1)
  return before === undefined
    ? history
    : { past: history.past.slice(0, -1), now: before, future: [history.now, ...history.future] }
}

export function redo<T>(history: UndoHistory<T>): UndoHistory<T> {
  const [next, ...future] = history.future
  return next === undefined ? history : { past: [...history.past, history.now], now: next, future }
}
