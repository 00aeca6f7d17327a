import type { SpatialAggregation } from '#contract/spatial.ts'
import { Problem } from '#server/http/problem.ts'
import { tripsByShape } from '../queries/trips-by-shape.ts'
import { tripsThroughShapes } from '../queries/trips-through-shapes.ts'
import { tripsExtentIn } from '../queries/trips-extent-in.ts'
import type { Mode, SumRow } from './mode.ts'
import { sumOf } from './sum-of.ts'

const mean = (rows: readonly SumRow[], side: 'orig' | 'dest'): { value: number | null; n: number } => {
  const n = sumOf(rows, `${side}_measured`)
  return { value: n ? sumOf(rows, `${side}_metres`) / n : null, n }
}

const counted = (n: number, days = 1): { value: number | null; n: number } => ({
  value: days ? n / days : null,
  n,
})

/** Trips that touch, `n` of them; with a known way, and without, which count by their ends. */
const touching = (rows: readonly SumRow[]) => {
  const [passing, withWay] = [sumOf(rows, 'passing'), sumOf(rows, 'with_way')]
  return { value: passing, n: passing, counts: { with_way: withWay, without_way: passing - withWay } }
}

/**
 * Trips by where they start and end, or by the shapes that they touch. A trip counts in the day and hour in which it starts. `n`: trips; of distances
 * those that were measured.
 */
export const trips: Mode = {
  name: 'trips',
  check(aggregation, layer) {
    if (aggregation === 'intersect' && !layer.intersect_route)
      throw new Problem(
        'validation_error',
        'This layer is not set up for routes: switch on trips that pass through in its settings.',
      )
  },
  unitOf: (aggregation) =>
    aggregation.startsWith('daily')
      ? 'trips_per_day'
      : aggregation.startsWith('average')
        ? 'metres'
        : 'trips',
  isMean: (aggregation) => aggregation.startsWith('average'),
  // The same rows hold all aggregations but this one.
  basis: ({ aggregation }) => (aggregation === 'intersect' ? aggregation : null),
  needsWays: (aggregation) => aggregation === 'intersect',
  query({ aggregation, filters, bucket }, { listId, ...placing }) {
    const asked = { filters, ...placing, byDay: bucket === 'day', byHour: bucket === 'hour_of_day' }
    if (aggregation !== 'intersect') return tripsByShape(asked)
    if (listId === undefined) throw new Error('The ways are not known')
    return tripsThroughShapes({ ...asked, listId })
  },
  ways(aggregation, whole) {
    if (aggregation !== 'intersect') return null
    const { with_way, without_way } = touching(whole).counts
    return { trips_with_way: with_way, trips_without_way: without_way }
  },
  figures(aggregation, { rows, span }) {
    if (aggregation === 'intersect') return touching(rows)
    const [orig, dest, count] = [sumOf(rows, 'orig'), sumOf(rows, 'dest'), sumOf(rows, 'either')]
    const values: Partial<Record<SpatialAggregation, { value: number | null; n: number }>> = {
      origins: counted(orig),
      destinations: counted(dest),
      daily_origins: counted(orig, span.days),
      daily_destinations: counted(dest, span.days),
      orig_or_dest: counted(count),
      average_origin_distance: mean(rows, 'orig'),
      average_destination_distance: mean(rows, 'dest'),
    }
    return { ...(values[aggregation] ?? { value: null, n: 0 }), counts: { orig, dest, count } }
  },
  extent: tripsExtentIn,
}
