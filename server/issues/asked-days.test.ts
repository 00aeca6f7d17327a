import { describe, expect, it } from 'vitest'
import { askedDays, daysWithin } from './asked-days.ts'

const held = { first: '2026-02-01', last: '2026-04-30' }

describe('the days of a question', () => {
  it('are what was asked for, in order', () => {
    expect(askedDays({ start_date: '2026-03-07', end_date: '2026-03-09' }, held)).toEqual({
      first: '2026-03-07',
      last: '2026-03-09',
    })
    expect(askedDays({ start_date: '2020-01-01', end_date: '2020-01-02' }, null)).toEqual({
      first: '2020-01-01',
      last: '2020-01-02',
    })
  })
  it('reach to the ends of all requests where they are left open', () => {
    expect(askedDays({}, held)).toEqual(held)
    expect(askedDays({ start_date: '2026-04-01' }, held)).toEqual({ first: '2026-04-01', last: '2026-04-30' })
    expect(askedDays({ start_date: '2026-05-01' }, held)).toBeNull()
    expect(askedDays({}, null)).toBeNull()
  })
})

it('no day beyond all requests is looked at', () => {
  expect(daysWithin({ first: '0000-01-01', last: '9999-12-31' }, held)).toEqual(held)
  expect(daysWithin({ first: '2026-03-01', last: '2026-03-02' }, held)).toEqual({
    first: '2026-03-01',
    last: '2026-03-02',
  })
  expect(daysWithin({ first: '2026-05-01', last: '2026-05-02' }, held)).toBeNull()
  expect(daysWithin(held, null)).toBeNull()
})
