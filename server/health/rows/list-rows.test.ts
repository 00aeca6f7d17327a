import { expect, test } from 'vitest'
import { type HealthRow, healthRowOrders } from '#contract/health.ts'
import { sortHealthRows } from './list-rows.ts'

const row = (at: number): HealthRow => ({
  time: new Date(Date.UTC(2026, 4, 1, at % 4)).toISOString(),
  operator: at % 2 ? 'one' : 'two',
  feed_id: null,
  id: `id ${at % 5}`,
  device_id: null,
  vehicle_id: null,
  trip_id: null,
  part: at % 3 ? 'gap' : 'day',
  reason: `row ${at}`,
  value: at % 4 === 0 ? null : at % 7,
  raw: null,
})
const rows = Array.from({ length: 40 }, (_, index) => row(index))

test.each(
  healthRowOrders.flatMap(
    (key) =>
      [
        [key, key],
        [key, `-${key}`],
      ] as const,
  ),
)(
  'sortHealthRows sorts rows by %s as %s: rows of one value stay as they were, rows without one are last',
  (key, order) => {
    const sorted = sortHealthRows(rows, order)
    expect(sorted.toSorted((a, b) => Number(a.reason.slice(4)) - Number(b.reason.slice(4)))).toEqual(rows)
    const values = sorted.map((row) => row[key])
    const known = values.filter((value) => value !== null)
    expect(values.slice(known.length).every((value) => value === null)).toBe(true)
    for (const value of new Set(values)) {
      const places = sorted.filter((row) => row[key] === value).map(({ reason }) => Number(reason.slice(4)))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
    }
    for (let at = 1; at < known.length; at++)
      expect(order === key ? known[at - 1]! <= known[at]! : known[at - 1]! >= known[at]!).toBe(true)
  },
)
