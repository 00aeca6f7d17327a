import { setTimeout as wait } from 'node:timers/promises'

/** Long work occupies the thread for at most this time, or for one step if that takes longer. */
const sliceMs = 8
/** Limits the pause after a slice that includes an awaited query, which hardly uses the thread. */
const maxPauseMs = 4 * sliceMs

/**
 * Returns a function that long work on the server's thread awaits between its steps. After each slice the
 * work pauses for as long as the slice took, but at most 32 ms, so that it uses about half of the thread.
 * `setImmediate` would not be enough: a call needs about twenty turns of the event loop, and each would wait
 * for a slice.
 */
export function createTimeSlicer(now: () => number = () => performance.now()): () => Promise<void> | null {
  let start = now()
  const pause = async (ms: number): Promise<void> => {
    await wait(Math.ceil(Math.min(ms, maxPauseMs)))
    start = now()
  }
  return () => {
    const workedMs = now() - start
    return workedMs < sliceMs ? null : pause(workedMs)
  }
}
