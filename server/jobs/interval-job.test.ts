import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createIntervalJob } from './interval-job'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())
const log = vi.fn()

it('runs every so often, never twice at once, and tells what went wrong', async () => {
  let ends: (() => void)[] = []
  const run = vi.fn(
    () => new Promise<void>((resolve, reject) => (ends = [resolve, () => reject(new Error('no room'))])),
  )
  const keeper = createIntervalJob({ name: 'cubes', intervalMs: 1000, log, run })
  keeper.start()
  keeper.start()
  await vi.advanceTimersByTimeAsync(2500)
  expect(run).toHaveBeenCalledTimes(1)
  ends[1]?.()
  await vi.advanceTimersByTimeAsync(1000)
  expect(log).toHaveBeenCalledWith('cubes', { error: 'no room' })
  expect(run).toHaveBeenCalledTimes(2)
  ends[0]?.()
  await keeper.stop()
  await vi.advanceTimersByTimeAsync(5000)
  expect(run).toHaveBeenCalledTimes(2)
})

it('rests between portions, but not for who waits for it', async () => {
  const portions: number[] = []
  const keeper = createIntervalJob({
    name: 'cubes',
    intervalMs: 1000,
    log,
    async run(signal, rest) {
      for (let portion = 0; portion < 3 && !signal.aborted; portion++) {
        portions.push(portion)
        await rest(60_000)
      }
    },
  })
  keeper.start()
  await vi.advanceTimersByTimeAsync(1000)
  expect(portions).toEqual([0])
  await keeper.idle()
  // What was under way, and once more from the beginning.
  expect(portions).toEqual([0, 1, 2, 0, 1, 2])
})

it('a rest ends when it is to stop', async () => {
  let isEnded = false
  const keeper = createIntervalJob({
    name: 'cubes',
    intervalMs: 1000,
    log,
    run: async (signal, rest) => {
      await rest(60_000)
      isEnded = signal.aborted
    },
  })
  keeper.start()
  await vi.advanceTimersByTimeAsync(1000)
  await keeper.stop()
  expect(isEnded).toBe(true)
})
