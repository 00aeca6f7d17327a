import { expect, test } from 'vitest'
import { maxPulls, maxPullsPerFeed, PullSlots } from './pull-slots.ts'

/** Assigns slots until none is free. Returns the feeds that got one. */
function fill(slots: PullSlots, due: readonly string[]): string[] {
  const served: string[] = []
  for (let next = slots.next(due); next; next = slots.next(due)) {
    slots.begin(next)
    served.push(next)
  }
  return served
}

test('PullSlots gives each feed two slots, and four in total, in turns', () => {
  expect(fill(new PullSlots(), ['a'])).toEqual(Array.from({ length: maxPullsPerFeed }, () => 'a'))
  const slots = new PullSlots()
  expect(fill(slots, ['a', 'b', 'c', 'd', 'e'])).toEqual(['a', 'b', 'c', 'd'])
  expect(slots.running).toBe(maxPulls)
  slots.end('b', 'succeeded')
  expect(fill(slots, ['a', 'b', 'c', 'd', 'e'])).toEqual(['e'])
})

test('PullSlots reserves slots for feeds that do not fail', () => {
  const slots = new PullSlots()
  for (const feed of ['x', 'y', 'z']) {
    slots.begin(feed)
    slots.end(feed, 'failed')
  }
  expect(fill(slots, ['x', 'y', 'z'])).toEqual(['x', 'y'])
  expect(fill(slots, ['x', 'y', 'z', 'good'])).toEqual(['good', 'good'])
  slots.end('x', 'succeeded')
  slots.end('good', 'aborted')
  expect(fill(slots, ['x', 'y']).toSorted()).toEqual(['x', 'x'])
})
