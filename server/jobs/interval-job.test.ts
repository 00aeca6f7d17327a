import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createIntervalJob } from './interval-job'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())
const log = vi.fn()

it('runs at its interval, never twice at once, and logs errors', async () => {
  let settle: (() => void)[] = []
  const run = vi.fn(
    () => new Promise<void>((resolve, reject) => (settle = [resolve, () => reject(new Error('no room'))])),
  )
  const job = createIntervalJob({ name: 'cubes', intervalMs: 1000, log, run })
  job.start()
  job.start()
  await vi.advanceTimersByTimeAsync(2500)
  expect(run).toHaveBeenCalledTimes(1)
  settle[1]?.()
  await vi.advanceTimersByTimeAsync(1000)
  expect(log).toHaveBeenCalledWith('cubes', { error: 'no room' })
  expect(run).toHaveBeenCalledTimes(2)
  settle[0]?.()
  await job.stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect(run).toHaveBeenCalledTimes(2)
})

it('pauses between steps, unless something waits for it', async () => {
  const steps: number[] = []
  const job = createIntervalJob({
    name: 'cubes',
    intervalMs: 1000,
    log,
    async run(signal, pause) {
      for (let step = 0; step < 3 && !signal.aborted; step++) {
        steps.push(step)
        await pause(60_000)
      }
    },
  })
  job.start()
  await vi.advanceTimersByTimeAsync(1000)
  expect(steps).toEqual([0])
  await job.idle()
  // Finishes the current run and runs once more.
  expect(steps).toEqual([0, 1, 2, 0, 1, 2])
})

it('ends a pause when the job is stopped', async () => {
  let isEnded = false
  const job = createIntervalJob({
    name: 'cubes',
    intervalMs: 1000,
    log,
    run: async (signal, pause) => {
      await pause(60_000)
      isEnded = signal.aborted
    },
  })
  job.start()
  await vi.advanceTimersByTimeAsync(1000)
  await job.stop()
  expect(isEnded).toBe(true)
})
