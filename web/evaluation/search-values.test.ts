import { describe, expect, it } from 'vitest'
import {
  daysInOrder,
  flag,
  hoursOf,
  keyOf,
  listOf,
  oneDay,
  oneOf,
  oneUuid,
  orAbsent,
  someOf,
  unlessDefault,
  viewOf,
  wholeUpTo,
} from './search-values.ts'

describe('values of the address bar', () => {
  it('are lists, also alone and absent', () => {
    expect([listOf('a'), listOf(['a']), listOf(undefined), listOf(null)]).toEqual([['a'], ['a'], [], []])
    expect([orAbsent([]), orAbsent([1])]).toEqual([undefined, [1]])
  })
  it('are one or some of those that there are', () => {
    expect([oneOf(['a', 'b'], 'b'), oneOf(['a'], 'c')]).toEqual(['b', undefined])
    expect([someOf(['a', 'b', 'c'], ['c', 'x', 'a']), someOf(['a'], 'x')]).toEqual([['a', 'c'], undefined])
    expect([keyOf({ car: 1 }, 'car'), keyOf({ car: 1 }, 'toString')]).toEqual(['car', undefined])
    expect([unlessDefault('a', 'a'), unlessDefault('b', 'a')]).toEqual([undefined, 'b'])
  })
  it('are days that the calendar has', () => {
    expect([oneDay('2024-02-29'), oneDay('2026-02-29'), oneDay(20260101)]).toEqual([
      '2024-02-29',
      undefined,
      undefined,
    ])
    expect(daysInOrder(undefined, '2026-01-02')).toEqual(['2026-01-02', '2026-01-02'])
    expect(daysInOrder(undefined, undefined)).toEqual([undefined, undefined])
  })
  it('are hours of a day, of which the whole day is none', () => {
    expect([
      hoursOf([22, 6]),
      hoursOf([0, 24]),
      hoursOf([3, 3]),
      hoursOf([1.5, 4]),
      hoursOf([-1, 4]),
      hoursOf(4),
    ]).toEqual([[6, 22], undefined, undefined, undefined, undefined, undefined])
  })
  it('are whole numbers within bounds', () => {
    expect([
      wholeUpTo(10, 4.6),
      wholeUpTo(10, 0),
      wholeUpTo(10, 11),
      wholeUpTo(10, '4'),
      wholeUpTo(10, Number.NaN),
    ]).toEqual([5, undefined, undefined, undefined, undefined])
  })
  it('are places on the map, ids and yes', () => {
    expect([
      viewOf([1, 2, 3]),
      viewOf([181, 2, 3]),
      viewOf([1, 86, 3]),
      viewOf([1, 2, 23]),
      viewOf('x'),
    ]).toEqual([[1, 2, 3], undefined, undefined, undefined, undefined])
    expect([oneUuid('6f1b1d1e-0000-4000-8000-000000000001'), oneUuid('6f1b1d1e')]).toEqual([
      '6f1b1d1e-0000-4000-8000-000000000001',
      undefined,
    ])
    expect([flag(true), flag('true'), flag(1)]).toEqual([true, undefined, undefined])
  })
})
