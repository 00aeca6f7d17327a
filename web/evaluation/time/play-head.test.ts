import { expect, it, vi } from 'vitest'
import { PlayHead } from './play-head.ts'

it('moves within its buckets and tells only of moves', () => {
  const head = new PlayHead(3, 7)
  const told = vi.fn<() => void>()
  const stop = head.subscribe(told)
  expect(head.read()).toBe(2)
  head.moveTo(9)
  expect(told).not.toHaveBeenCalled()
  head.moveTo(-4)
  expect([head.read(), told.mock.calls.length]).toEqual([0, 1])
  stop()
  head.moveTo(1)
  expect(told).toHaveBeenCalledTimes(1)
})

it('begins again after the last', () => {
  const head = new PlayHead(2, 0)
  head.next()
  expect(head.read()).toBe(1)
  head.next()
  expect(head.read()).toBe(0)
})

it('stands at nothing of nothing', () => {
  const head = new PlayHead(0, 4)
  head.next()
  expect(head.read()).toBe(0)
})
