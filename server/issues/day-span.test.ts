import { describe, expect, it, test } from 'vitest'
import { getRequestedDays, clipDays } from './day-span.ts'

const held = { first: '2026-02-01', last: '2026-04-30' }

describe('the days of a request', () => {
  it('are the requested ones, in order', () => {
    expect(getRequestedDays({ start_date: '2026-03-07', end_date: '2026-03-09' }, held)).toEqual({
      first: '2026-03-07',
      last: '2026-03-09',
    })
    expect(getRequestedDays({ start_date: '2020-01-01', end_date: '2020-01-02' }, null)).toEqual({
      first: '2020-01-01',
      last: '2020-01-02',
    })
  })
  it('extend to the first or last issue if an end is open', () => {
    expect(getRequestedDays({}, held)).toEqual(held)
    expect(getRequestedDays({ start_date: '2026-04-01' }, held)).toEqual({
      first: '2026-04-01',
      last: '2026-04-30',
    })
    expect(getRequestedDays({ start_date: '2026-05-01' }, held)).toBeNull()
    expect(getRequestedDays({}, null)).toBeNull()
  })
})

test('The days of a request are limited to days with issues', () => {
  expect(clipDays({ first: '0000-01-01', last: '9999-12-31' }, held)).toEqual(held)
  expect(clipDays({ first: '2026-03-01', last: '2026-03-02' }, held)).toEqual({
    first: '2026-03-01',
    last: '2026-03-02',
  })
  expect(clipDays({ first: '2026-05-01', last: '2026-05-02' }, held)).toBeNull()
  expect(clipDays(held, null)).toBeNull()
})
