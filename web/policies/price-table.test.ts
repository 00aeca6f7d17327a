import { describe, expect, it } from 'vitest'
import type { FeeProperties } from '#contract/policy.ts'
import {
  addBand,
  addDuration,
  changeBand,
  changeDuration,
  daysOf,
  mayRemoveBand,
  mayRemoveDuration,
  moveDay,
  removeBand,
  removeDuration,
} from './price-table.ts'

const band = (start: string | null, end: string | null, price: number | null = 1) => ({
  start_time: start,
  end_time: end,
  price,
})
const one: FeeProperties['prices'] = { all: [band(null, '08:00:00')] }

describe('prices by the time of day', () => {
  it('always keep a row', () => {
    expect(mayRemoveBand(one)).toBe(false)
    expect(removeBand(one, 'all', 0)).toBe(one)
    const two = { ...one, sunday: [band(null, null)] }
    expect(mayRemoveBand(two)).toBe(true)
    expect(removeBand(two, 'all', 0)).toEqual({ sunday: [band(null, null)] })
  })

  it('go on where the last row ends, and change row by row', () => {
    const more = addBand(one, 'all')
    expect(more.all).toEqual([band(null, '08:00:00'), band('08:00:00', null, null)])
    expect(changeBand(more, 'all', 1, { price: 3 }).all?.[1]).toEqual(band('08:00:00', null, 3))
    expect(addBand(one, 'weekday').weekday).toEqual([band(null, null, null)])
  })

  it('are moved to another day, never onto one that has its own', () => {
    expect(moveDay(one, 'all', 'sunday')).toEqual({ sunday: one.all })
    const both = { ...one, sunday: [band(null, null)] }
    expect(moveDay(both, 'all', 'sunday')).toBe(both)
    expect(daysOf({ sunday: [band(null, null)], weekday: [band(null, null)], monday: [] })).toEqual([
      'weekday',
      'sunday',
    ])
  })
})

describe('prices by duration', () => {
  const rows = [{ start_duration: 0, end_duration: 30, price: 1 }]

  it('always keep a row, and go on where the last one ends', () => {
    expect(mayRemoveDuration(rows)).toBe(false)
    expect(removeDuration(rows, 0)).toEqual(rows)
    const two = addDuration(rows)
    expect(two[1]).toEqual({ start_duration: 30, end_duration: null, price: null })
    expect(removeDuration(two, 0)).toEqual([two[1]])
    expect(changeDuration(two, 1, { price: 2 })[1]).toEqual({
      start_duration: 30,
      end_duration: null,
      price: 2,
    })
  })
})
