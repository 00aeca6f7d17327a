import { setTimeout as wait } from 'node:timers/promises'

/** Work holds the thread for at most this time, or for one step if that takes longer. */
const sliceMs = 8

/**
 * For long work on the server's thread, to be awaited between its steps. After each slice the work pauses for
 * as long as the slice took, so that it uses at most half of the thread. `setImmediate` is not enough: each
 * of the twenty turns of the event loop that a call needs would wait for a slice.
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
