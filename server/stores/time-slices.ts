import { setTimeout as wait } from 'node:timers/promises'

/** Others wait no longer than this for the thread, ms, but for a single step that takes longer. */
const sliceMs = 8

/**
 * For long work on the thread that serves: to be awaited between its steps. After each slice of time the work rests as long as it took, so
 * that it has at most half of the thread. `setImmediate` would not do: of a call that needs twenty turns of the event loop each would wait
 * for a slice.
 */
export function createTimeSlicer(now: () => number = () => performance.now()): () => Promise<void> | null {
  let start = now()
  const pause = async (ms: number): Promise<void> => {
    await wait(Math.ceil(ms))
    start = now()
  }
  return () => {
    const workedMs = now() - start
    return workedMs < sliceMs ? null : pause(workedMs)
  }
}
