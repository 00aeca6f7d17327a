import { expect, test } from 'vitest'
import { type FeedPolicy, matchImported } from './match-imported.ts'

const here = new Map([['a', 'A']])
const match = (...feed: FeedPolicy[]) =>
  Object.fromEntries(
    [...matchImported(feed, here)].map(([id, { imported, isSuperseded }]) => [
      id,
      `${imported}${isSuperseded ? ' before' : ''}`,
    ]),
  )

test('matchImported matches a policy by its id in the source', () => {
  expect(match({ id: 'a', previous: [] }, { id: 'b', previous: [] })).toEqual({ a: 'A' })
  expect(match({ id: 'b', previous: ['c'] })).toEqual({})
})

test('matchImported matches a superseding policy with the imported one, and marks the superseded one as such', () => {
  expect(match({ id: 'b', previous: ['a'] })).toEqual({ b: 'A' })
  expect(match({ id: 'a', previous: [] }, { id: 'b', previous: ['a'] })).toEqual({ a: 'A before', b: 'A' })
})

test('matchImported does not treat a superseded policy as a new one once its successor is imported', () => {
  expect(match({ id: 'z', previous: [] }, { id: 'a', previous: ['z'] })).toEqual({ z: 'A before', a: 'A' })
})

test('matchImported matches only the first of two superseding policies with the imported one', () => {
  expect(match({ id: 'b', previous: ['a'] }, { id: 'c', previous: ['a'] })).toEqual({ b: 'A' })
})
