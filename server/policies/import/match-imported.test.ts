import { expect, it } from 'vitest'
import { type FeedPolicy, matchImported } from './match-imported.ts'

const here = new Map([['a', 'A']])
const match = (...feed: FeedPolicy[]) =>
  Object.fromEntries(
    [...matchImported(feed, here)].map(([id, { here: own, isSuperseded }]) => [
      id,
      `${own}${isSuperseded ? ' before' : ''}`,
    ]),
  )

it('a policy is identified by its id at the source', () => {
  expect(match({ id: 'a', previous: [] }, { id: 'b', previous: [] })).toEqual({ a: 'A' })
  expect(match({ id: 'b', previous: ['c'] })).toEqual({})
})

it('a superseding policy is the imported one; the superseded one, if still in the feed, is the one before', () => {
  expect(match({ id: 'b', previous: ['a'] })).toEqual({ b: 'A' })
  expect(match({ id: 'a', previous: [] }, { id: 'b', previous: ['a'] })).toEqual({ a: 'A before', b: 'A' })
})

it('once the later one is imported, the superseded one is not another policy', () => {
  expect(match({ id: 'z', previous: [] }, { id: 'a', previous: ['z'] })).toEqual({ z: 'A before', a: 'A' })
})

it('of two superseding policies the first is the imported one, the other a new one', () => {
  expect(match({ id: 'b', previous: ['a'] }, { id: 'c', previous: ['a'] })).toEqual({ b: 'A' })
})
