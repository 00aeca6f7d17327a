import { expect, it } from 'vitest'
import { daySegments } from './day-bar.tsx'

const start = Date.UTC(2026, 2, 8, 5)
const hour = 3_600_000
const interval = (state: 'available' | 'on_trip', from: number, to: number | null) => ({
  state,
  from: start + from * hour,
  to: to === null ? null : start + to * hour,
  event_types: [],
  lon: null,
  lat: null,
  battery: null,
})

it('clips earlier intervals, merges adjacent ones of the same state, and continues until now', () => {
  const segments = daySegments(
    {
      day_start: start,
      intervals: [
        interval('available', -5, 6),
        interval('available', 6, 9),
        interval('on_trip', 9, 12),
        interval('available', 12, null),
      ],
    },
    start + 18 * hour,
  )
  expect(
    segments.map(({ state, from, to, left, width }) => [
      state,
      (from - start) / hour,
      to === null ? null : (to - start) / hour,
      left,
      width,
    ]),
  ).toEqual([
    ['available', 0, 9, 0, 9 / 24],
    ['on_trip', 9, 12, 9 / 24, 3 / 24],
    ['available', 12, null, 12 / 24, 6 / 24],
  ])
})

it('stays within the bar on a day of 25 hours', () => {
  const [segment] = daySegments(
    { day_start: start, intervals: [interval('available', 0, null)] },
    start + 25 * hour,
  )
  expect(segment).toMatchObject({ left: 0, width: 1 })
  expect(daySegments({ day_start: start, intervals: [] }, start)).toEqual([])
})
