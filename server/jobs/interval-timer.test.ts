import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IntervalTimer } from './interval-timer.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000_000_000 }))
afterEach(() => void vi.useRealTimers())
const now = (): Date => new Date()

test('An interval timer runs at start and at its interval, without overlap', async () => {
  let finish = (): void => undefined
  const run = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
  const timer = new IntervalTimer({ seconds: 60, isAligned: false, now, run })
  timer.start()
  timer.start()
  expect(run).toHaveBeenCalledTimes(1)
  expect(timer.nextRun).toEqual(new Date(Date.now() + 60_000))
  await vi.advanceTimersByTimeAsync(150_000)
  expect(run).toHaveBeenCalledTimes(1)
  finish()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(run).toHaveBeenCalledTimes(2)
  timer.stop()
  finish()
  await vi.advanceTimersByTimeAsync(150_000)
  expect(run).toHaveBeenCalledTimes(2)
  expect(timer.nextRun).toBeNull()
})

test('An interval timer runs only if something is due, or on request', async () => {
  let isDue = false
  const run = vi.fn(async () => undefined)
  const timer = new IntervalTimer({ seconds: 1, isAligned: false, isDue: () => isDue, now, run })
  timer.start()
  await vi.advanceTimersByTimeAsync(5000)
  expect([run.mock.calls.length, timer.nextRun]).toEqual([0, null])
  timer.runNow()
  expect(run).toHaveBeenCalledTimes(1)
  isDue = true
  await vi.advanceTimersByTimeAsync(1000)
  expect(run).toHaveBeenCalledTimes(2)
  timer.stop()
})

test('An interval timer runs once more after a run during which others were requested', async () => {
  let finish = (): void => undefined
  const run = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
  const timer = new IntervalTimer({ seconds: 60, isAligned: false, now, run })
  timer.start()
  timer.runNow()
  timer.runNow()
  finish()
  await vi.advanceTimersByTimeAsync(1)
  finish()
  await vi.advanceTimersByTimeAsync(1)
  expect(run).toHaveBeenCalledTimes(2)
  timer.stop()
})

test('An interval timer is aligned to the middle of intervals that all servers share', () => {
  const timer = new IntervalTimer({ seconds: 300, isAligned: true, now, run: async () => undefined })
  timer.start()
  expect((timer.nextRun?.getTime() ?? 0) % 300_000).toBe(150_000)
  expect((timer.nextRun?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(300_000)
  timer.stop()
})
