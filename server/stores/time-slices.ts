import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/** Long work occupies the thread for at most this time, or for one step if that takes longer. */
const sliceMs = 8

/** Reads the time in which the event loop of the thread was not idle, in ms. */
const readActiveMs = (): number => performance.eventLoopUtilization().active

/**
 * Returns a function that long work on the server's thread awaits between its steps. After each slice the
 * work pauses for as long as the slice took, so that it uses at most half of the thread. The time of an
 * awaited query does not count. `setImmediate` would not be enough: a call needs about twenty turns of the
 * event loop, and each would wait for a slice.
 */
export function createTimeSlicer(readMs = readActiveMs): () => Promise<void> | null {
  let startMs = readMs()
  const pause = async (ms: number): Promise<void> => {
    await wait(Math.ceil(ms))
    startMs = readMs()
  }
  return () => {
    const workedMs = readMs() - startMs
    return workedMs < sliceMs ? null : pause(workedMs)
  }
}
