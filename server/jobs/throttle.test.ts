import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

test('A throttle runs immediately after a pause, then once at the end of the interval, for each name separately', async () => {
  const ran: string[] = []
  const throttle = new Throttle(1000, Date.now)
  const run = (name: string): void =>
    throttle.run(name, async () => void ran.push(`${name} ${Date.now() - 1_000_000}`))
  run('a')
  run('a')
  run('a')
  run('b')
  expect(ran).toEqual(['a 0', 'b 0'])
  await vi.advanceTimersByTimeAsync(999)
  expect(ran).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(ran).toEqual(['a 0', 'b 0', 'a 1000'])
  await vi.advanceTimersByTimeAsync(5000)
  run('a')
  run('a')
  throttle.close()
  await vi.advanceTimersByTimeAsync(5000)
  expect(ran).toEqual(['a 0', 'b 0', 'a 1000', 'a 6000'])
})
