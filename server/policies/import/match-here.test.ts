import { expect, it } from 'vitest'
import { type FeedPolicy, matchHere } from './match-here.ts'

const here = new Map([['a', 'A']])
const match = (...feed: FeedPolicy[]) =>
  Object.fromEntries(
    [...matchHere(feed, here)].map(([id, { here: own, isSuperseded }]) => [
      id,
      `${own}${isSuperseded ? ' before' : ''}`,
    ]),
  )

it('a policy is known by its id at the source', () => {
  expect(match({ id: 'a', previous: [] }, { id: 'b', previous: [] })).toEqual({ a: 'A' })
  expect(match({ id: 'b', previous: ['c'] })).toEqual({})
})

it('one that takes its place is the policy here; the former, while the feed still has it, is that of before', () => {
  expect(match({ id: 'b', previous: ['a'] })).toEqual({ b: 'A' })
  expect(match({ id: 'a', previous: [] }, { id: 'b', previous: ['a'] })).toEqual({ a: 'A before', b: 'A' })
})

it('once the later one is here, the former is not another policy', () => {
  expect(match({ id: 'z', previous: [] }, { id: 'a', previous: ['z'] })).toEqual({ z: 'A before', a: 'A' })
})

it('of two that take its place the first is the policy here, the other a new one', () => {
  expect(match({ id: 'b', previous: ['a'] }, { id: 'c', previous: ['a'] })).toEqual({ b: 'A' })
})
