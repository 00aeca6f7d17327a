import { parkingByShape } from '../queries/parking-by-shape.ts'
import { parkingExtent } from '../queries/parking-extent.ts'
import type { Mode } from './mode.ts'
import { settledAt } from './settled-at.ts'
import { sumOf } from './sum-of.ts'

const minuteMs = 60_000

/**
 * Rests of vehicles. One belongs to the day and hour in which it begins; its mean length is whole; the sum of durations is what lies in the asked days
 * and hours, of rests that began before too. `n`: rests that begin.
 */
export const parking: Mode = {
  name: 'parking',
  unitOf: (aggregation) =>
    aggregation === 'total_parking_events'
      ? 'events'
      : aggregation === 'daily_parking_events'
        ? 'events_per_day'
        : 'minutes',
  isMean: (aggregation) => aggregation === 'average_parked_duration',
  basis: (posed) => [posed.parkedMinutes, settledAt(posed)],
  query: parkingByShape,
  // Lengths of rests are not in the cubes.
  cubed: ({ aggregation, parkedMinutes }) =>
    parkedMinutes > 0 || aggregation === 'average_parked_duration'
      ? null
      : { sums: { events: 'parking_begins', parked_ms: 'parked_ms' }, byOperator: false },
  figures(aggregation, { rows, span }) {
    const count = sumOf(rows, 'events')
    const minutes = sumOf(rows, 'parked_ms') / minuteMs
    const values: Readonly<Record<string, number | null>> = {
      total_parking_events: count,
      daily_parking_events: span.days ? count / span.days : null,
      total_parked_duration: minutes,
      average_parked_duration: count ? sumOf(rows, 'length_ms') / minuteMs / count : null,
    }
    return { value: values[aggregation] ?? null, n: count, counts: { count, total_parked_duration: minutes } }
  },
  extent: parkingExtent,
}
