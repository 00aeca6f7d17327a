import { expect, it } from 'vitest'
import { type Allocation, allocationRows, largestMove } from './allocation-rows.ts'

const week = (lengthsAt: (hour: number) => Allocation['hours'][number], length_m = 1000): Allocation => ({
  from: 0,
  length_m,
  hours: Array.from({ length: 168 }, (_, index) => lengthsAt(index)),
})

it('averages each state over the hours of the week and finds the largest increase and decrease', () => {
  const before = week(() => ({ paid_parking: 800, loading: 200 }))
  // Half of the hours have 400 m more loading.
  const now = week((hour) =>
    hour < 84 ? { paid_parking: 400, loading: 600 } : { paid_parking: 800, loading: 200 },
  )
  const rows = allocationRows({ now, compared: before })
  expect(rows).toEqual([
    { state: 'loading', meters: 400, share: 0.4, before: 200, change: 200 },
    { state: 'paid_parking', meters: 600, share: 0.6, before: 800, change: -200 },
  ])
  expect(largestMove(rows)).toEqual({ from: 'paid_parking', to: 'loading', meters: 200 })
})

it('ignores hours that the clock skips, and finds no move without a comparison', () => {
  const now = week((hour) => (hour === 2 ? {} : { free_parking: 500 }), 500)
  const rows = allocationRows({ now, compared: null })
  expect(rows).toEqual([{ state: 'free_parking', meters: 500, share: 1, before: null, change: null }])
  expect(largestMove(rows)).toBeNull()
  expect(allocationRows({ now: week(() => ({}), 0), compared: null })).toEqual([])
})
