import { expect, it, vi } from 'vitest'
import { PlayHead } from './play-head.ts'

it('stays within its buckets and notifies listeners only of moves', () => {
  const head = new PlayHead(3, 7)
  const listener = vi.fn<() => void>()
  const stop = head.subscribe(listener)
  expect(head.read()).toBe(2)
  head.moveTo(9)
  expect(listener).not.toHaveBeenCalled()
  head.moveTo(-4)
  expect([head.read(), listener.mock.calls.length]).toEqual([0, 1])
  stop()
  head.moveTo(1)
  expect(listener).toHaveBeenCalledTimes(1)
})

it('returns to the first bucket after the last', () => {
  const head = new PlayHead(2, 0)
  head.next()
  expect(head.read()).toBe(1)
  head.next()
  expect(head.read()).toBe(0)
})

it('stays at zero without buckets', () => {
  const head = new PlayHead(0, 4)
  head.next()
  expect(head.read()).toBe(0)
})
