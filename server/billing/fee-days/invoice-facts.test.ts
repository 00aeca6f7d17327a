import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type DayCount, joinDays } from './invoice-facts.ts'

const maxRows = 10
const dayCounts: fc.Arbitrary<DayCount[]> = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 10, max: 30 })), {
    selector: (pair) => pair.join(),
  })
  .chain((keys) =>
    fc.tuple(
      ...keys.toSorted().map(([policyId, day]) =>
        fc.record({
          policyId: fc.constant(policyId),
          day: fc.constant(`2026-03-${day}`),
          rows: fc.integer({ min: 1, max: 15 }),
        }),
      ),
    ),
  )

it('Runs of days have each day of a policy once, in order, and at most the given number of facts', () => {
  fc.assert(
    fc.property(dayCounts, (counts) => {
      const runs = joinDays(counts, maxRows)
      const daysOf = runs.map(({ policyId, first, last }) =>
        counts.filter((count) => count.policyId === policyId && first <= count.day && count.day <= last),
      )
      expect(daysOf.flat()).toEqual(counts)
      for (const [index, days] of daysOf.entries()) {
        const rows = days.reduce((sum, count) => sum + count.rows, 0)
        expect(runs[index]?.rows).toBe(rows)
        expect(days.length === 1 || rows <= maxRows).toBe(true)
      }
    }),
  )
})

it('Days with few facts are one run', () => {
  const counts = ['2026-03-01', '2026-03-02', '2026-03-04'].map((day) => ({ policyId: 'a', day, rows: 3 }))
  expect(joinDays(counts, maxRows)).toEqual([
    { policyId: 'a', first: '2026-03-01', last: '2026-03-04', rows: 9 },
  ])
})
