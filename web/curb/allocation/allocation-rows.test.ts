import { expect, it } from 'vitest'
import { type Allocation, getAllocationRows, findLargestMove } from './allocation-rows.ts'

const week = (getLengths: (hour: number) => Allocation['hours'][number], length_m = 1000): Allocation => ({
  from: 0,
  length_m,
  hours: Array.from({ length: 168 }, (_, index) => getLengths(index)),
})

it('averages each state over the hours of the week and finds the largest increase and decrease', () => {
  const compared = week(() => ({ paid_parking: 800, loading: 200 }))
  // Half of the hours have 400 m more loading.
  const now = week((hour) =>
    hour < 84 ? { paid_parking: 400, loading: 600 } : { paid_parking: 800, loading: 200 },
  )
  const rows = getAllocationRows({ now, compared })
  expect(rows).toEqual([
    { state: 'loading', meters: 400, share: 0.4, metersBefore: 200, change: 200 },
    { state: 'paid_parking', meters: 600, share: 0.6, metersBefore: 800, change: -200 },
  ])
  expect(findLargestMove(rows)).toEqual({ from: 'paid_parking', to: 'loading', meters: 200 })
})

it('ignores hours that the clock skips, and finds no move without a comparison', () => {
  const now = week((hour) => (hour === 2 ? {} : { free_parking: 500 }), 500)
  const rows = getAllocationRows({ now, compared: null })
  expect(rows).toEqual([{ state: 'free_parking', meters: 500, share: 1, metersBefore: null, change: null }])
  expect(findLargestMove(rows)).toBeNull()
  expect(getAllocationRows({ now: week(() => ({}), 0), compared: null })).toEqual([])
})
