import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTimeSlicer } from './time-slices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('pauses after each slice for as long as the slice took', async () => {
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

it('pauses at most 32 ms, because a slice may include an awaited query', async () => {
  let now = 0
  const nextSlice = createTimeSlicer(() => now)
  now += 5000
  let isResumed = false
  const pause = nextSlice()?.then(() => (isResumed = true))
  await vi.advanceTimersByTimeAsync(31)
  expect(isResumed).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await pause
  expect(isResumed).toBe(true)
})
