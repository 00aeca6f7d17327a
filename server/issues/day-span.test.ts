import { describe, expect, it, test } from 'vitest'
import { getRequestedDays, clipDays } from './day-span.ts'

const available = { first: '2026-02-01', last: '2026-04-30' }

describe('getRequestedDays', () => {
  it('returns the requested days, in order', () => {
    expect(getRequestedDays({ start_date: '2026-03-07', end_date: '2026-03-09' }, available)).toEqual({
      first: '2026-03-07',
      last: '2026-03-09',
    })
    expect(getRequestedDays({ start_date: '2020-01-01', end_date: '2020-01-02' }, null)).toEqual({
      first: '2020-01-01',
      last: '2020-01-02',
    })
  })
  it('uses the first or last day with issues if an end is open', () => {
    expect(getRequestedDays({}, available)).toEqual(available)
    expect(getRequestedDays({ start_date: '2026-04-01' }, available)).toEqual({
      first: '2026-04-01',
      last: '2026-04-30',
    })
    expect(getRequestedDays({ start_date: '2026-05-01' }, available)).toBeNull()
    expect(getRequestedDays({}, null)).toBeNull()
  })
})

test('clipDays limits the days of a request to days with issues', () => {
  expect(clipDays({ first: '0000-01-01', last: '9999-12-31' }, available)).toEqual(available)
  expect(clipDays({ first: '2026-03-01', last: '2026-03-02' }, available)).toEqual({
    first: '2026-03-01',
    last: '2026-03-02',
  })
  expect(clipDays({ first: '2026-05-01', last: '2026-05-02' }, available)).toBeNull()
  expect(clipDays(available, null)).toBeNull()
})
