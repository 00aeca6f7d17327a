import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTimeSlicer } from './time-slices.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('work in slices rests as long as it took, and not before a slice is over', async () => {
  let now = 0
  const next = createTimeSlicer(() => now)
  now += 7
  expect(next()).toBeNull()
  now += 13
  let isRested = false
  const rest = next()?.then(() => (isRested = true))
  await vi.advanceTimersByTimeAsync(19)
  expect(isRested).toBe(false)
  now += 20
  await vi.advanceTimersByTimeAsync(1)
  await rest
  expect(isRested).toBe(true)
  expect(next()).toBeNull()
})
