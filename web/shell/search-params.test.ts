import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  day,
  distinguishEmpty,
  enumListParam,
  enumParam,
  flag,
  hours,
  integer,
  listParam,
  matching,
  orderDays,
  page,
  type Param,
  searchParams,
  slug,
  slugs,
  sort,
  text,
  uuid,
  view,
  weekdays,
} from './search-params.ts'

const id = '6f1b1d1e-0000-4000-8000-000000000001'
const hostile = JSON.parse('{"toString":1,"valueOf":1}') as unknown

describe('a parameter of the URL', () => {
  it.each<[string, Param<unknown>, unknown, unknown]>([
    ['text', text(), ' wharf ', 'wharf'],
    ['text of digits', text(), 311, '311'],
    ['empty text', text(), ' ', undefined],
    ['long text', text(3), 'wharf', 'wha'],
    ['a pattern', matching(/^\d+$/), 24, '24'],
    ['another pattern', matching(/^\d+$/), 'soon', undefined],
    ['a UUID', uuid, id, id],
    ['no UUID', uuid, '6f1b1d1e', undefined],
    ['a slug', slug, 'swift', 'swift'],
    ['no slug', slug, '../x', undefined],
    ['slugs', slugs, ['b', 'a', 'b', 5, hostile], ['a', 'b']],
    ['a single value as a list', slugs, 'swift', ['swift']],
    ['an empty list', slugs, [], undefined],
    ['an empty list that means none', distinguishEmpty(slugs), [], []],
    ['an absent list', distinguishEmpty(slugs), undefined, undefined],
    ['texts', listParam(text()), ['b', 17, ''], ['17', 'b']],
    ['true', flag, true, true],
    ['no flag', flag, 'true', undefined],
    ['an option', enumParam(['a', 'b']), 'b', 'b'],
    ['the default option', enumParam(['a', 'b'], 'a'), 'a', undefined],
    ['an unknown option', enumParam(['a']), 'toString', undefined],
    ['some options', enumListParam(['a', 'b', 'c']), ['c', 'x', 'a'], ['a', 'c']],
    ['a number', integer(1, 10), 4.6, 5],
    ['a number as text', integer(1, 10), '4', undefined],
    ['a number out of bounds', integer(1, 10), 11, undefined],
    ['a page', page, 2, 2],
    ['the first page', page, 1, undefined],
    ['an endless page', page, Number.POSITIVE_INFINITY, undefined],
    ['a sort key', sort(['name', 'state'], 'name'), '-name', '-name'],
    ['the default sort key', sort(['name', 'state'], 'name'), 'name', undefined],
    ['a leap day', day, '2024-02-29', '2024-02-29'],
    ['no day', day, '2026-02-29', undefined],
    ['weekdays', weekdays, [7, '3', 3, 8, hostile], [3, 7]],
    ['one weekday', weekdays, 4, [4]],
    ['all weekdays', weekdays, [1, 2, 3, 4, 5, 6, 7], undefined],
    ['swapped hours', hours, [22, 6], [6, 22]],
    ['the whole day', hours, [0, 24], undefined],
    ['no hours', hours, [3, 3], undefined],
    ['fractions of hours', hours, [1.5, 4], undefined],
    ['hostile hours', hours, [hostile, 3], undefined],
    ['a view', view, [1, 2, 3], [1, 2, 3]],
    ['a view beyond the poles', view, [1, 86, 3], undefined],
    ['no view', view, 'x', undefined],
  ])('reads %s', (_name, read, value, expected) => expect(read(value)).toEqual(expected))
})

describe('a declaration of parameters', () => {
  const read = searchParams(
    { start_date: day, end_date: day, operators: slugs, results: flag },
    orderDays('start_date', 'end_date'),
  )

  it('drops unknown and absent parameters', () => {
    expect(read({ operators: 'swift', results: false, other: 1 })).toEqual({ operators: ['swift'] })
  })

  it('orders days, and treats a single day as a range', () => {
    expect(read({ start_date: '2026-05-09', end_date: '2026-05-02' })).toEqual({
      start_date: '2026-05-02',
      end_date: '2026-05-09',
    })
    expect(read({ end_date: '2026-05-02' })).toEqual({ start_date: '2026-05-02', end_date: '2026-05-02' })
  })

  it('parses its own state unchanged, whatever the URL was', () => {
    const everything = searchParams(
      { text: text(), id: uuid, days: weekdays, hours, view, page, start_date: day, end_date: day, slugs },
      orderDays('start_date', 'end_date'),
    )
    const keys = ['text', 'id', 'days', 'hours', 'view', 'page', 'start_date', 'end_date', 'slugs']
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), fc.anything()), (junk) => {
        const state = everything(junk)
        expect(everything(JSON.parse(JSON.stringify(state)) as Record<string, unknown>)).toEqual(
          JSON.parse(JSON.stringify(state)),
        )
      }),
    )
  })
})
