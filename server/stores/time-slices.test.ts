import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTimeSlicer } from './time-slices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('A time slicer pauses after each slice for as long as the slice took', async () => {
  let now = 0
  const nextSlice = createTimeSlicer(() => now)
  now += 7
  expect(nextSlice()).toBeNull()
  now += 13
  let isResumed = false
  const pause = nextSlice()?.then(() => (isResumed = true))
  await vi.advanceTimersByTimeAsync(19)
  expect(isResumed).toBe(false)
  now += 20
  await vi.advanceTimersByTimeAsync(1)
  await pause
  expect(isResumed).toBe(true)
  expect(nextSlice()).toBeNull()
})

test('A time slicer counts only the time in which the event loop is active, not that of an awaited query', () => {
  const utilization = { idle: 0, active: 100, utilization: 0 }
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => utilization)
  const nextSlice = createTimeSlicer()
  utilization.idle += 5000
  expect(nextSlice()).toBeNull()
  utilization.active += 8
  expect(nextSlice()).not.toBeNull()
})
