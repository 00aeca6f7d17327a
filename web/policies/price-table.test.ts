import { expect, it } from 'vitest'
import type { FeeProperties } from '#contract/policy.ts'
import { canRemoveBand, pricedDays, moveDay, nextBand, nextDuration, setBands } from './price-table.ts'

const band = (start: string | null, end: string | null, price: number | null = 1) => ({
  start_time: start,
  end_time: end,
  price,
})
const one: FeeProperties['prices'] = { all: [band(null, '08:00:00')] }

it('requires at least one row over all days', () => {
  expect(canRemoveBand(one)).toBe(false)
  const two = { ...one, sunday: [band(null, null)] }
  expect(canRemoveBand(two)).toBe(true)
  expect(setBands(two, 'all', [])).toEqual({ sunday: [band(null, null)] })
})

it('starts the next row where the last one ends', () => {
  expect(nextBand(one.all ?? [])).toEqual(band('08:00:00', null, null))
  expect(nextBand([])).toEqual(band(null, null, null))
  expect(nextDuration([{ start_duration: 0, end_duration: 30, price: 1 }])).toEqual({
    start_duration: 30,
    end_duration: null,
    price: null,
  })
})

it('moves rows to another day, but not to one that has rows', () => {
  expect(moveDay(one, 'all', 'sunday')).toEqual({ sunday: one.all })
  const both = { ...one, sunday: [band(null, null)] }
  expect(moveDay(both, 'all', 'sunday')).toBe(both)
})

it('lists the days that have rows in the order of the table', () => {
  expect(pricedDays({ sunday: [band(null, null)], weekday: [band(null, null)], monday: [] })).toEqual([
    'weekday',
    'sunday',
  ])
})
