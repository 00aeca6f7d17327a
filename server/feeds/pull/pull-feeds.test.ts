import { expect, it } from 'vitest'
import { maxPulls, maxPullsPerFeed, PullTurns } from './pull-feeds.ts'

/** Assigns slots until none is left. */
function fill(turns: PullTurns, due: readonly string[]): string[] {
  const given: string[] = []
  for (let next = turns.next(due); next; next = turns.next(due)) {
    turns.begin(next)
    given.push(next)
  }
  return given
}

it('gives each feed two slots, and four in total, in turns', () => {
  expect(fill(new PullTurns(), ['a'])).toEqual(Array.from({ length: maxPullsPerFeed }, () => 'a'))
  const turns = new PullTurns()
  expect(fill(turns, ['a', 'b', 'c', 'd', 'e'])).toEqual(['a', 'b', 'c', 'd'])
  expect(turns.running).toBe(maxPulls)
  turns.end('b', 'good')
  expect(fill(turns, ['a', 'b', 'c', 'd', 'e'])).toEqual(['e'])
})

it('reserves slots for feeds that do not fail', () => {
  const turns = new PullTurns()
  for (const feed of ['x', 'y', 'z']) {
    turns.begin(feed)
    turns.end(feed, 'failed')
  }
  expect(fill(turns, ['x', 'y', 'z'])).toEqual(['x', 'y'])
  expect(fill(turns, ['x', 'y', 'z', 'good'])).toEqual(['good', 'good'])
  turns.end('x', 'good')
  turns.end('good', 'stopped')
  expect(fill(turns, ['x', 'y']).toSorted()).toEqual(['x', 'x'])
})
