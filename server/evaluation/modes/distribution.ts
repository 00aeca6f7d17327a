import type { SpatialAggregation } from '#contract/spatial.ts'
import { stationaryByShape, stationarySums } from '../queries/stationary-by-shape.ts'
import { stationaryExtent } from '../queries/extent-of.ts'
import { stationaryStates } from '#server/mobility/cubes/cube-columns.ts'
import { type Mode, type SumRow, sumOf } from './mode.ts'

const hourMs = 3_600_000

const stationaryCubeSums = Object.fromEntries(
  stationaryStates.map((state) => [`${state}_ms`, `${state}_ms` as const]),
)

const stationaryMs = (rows: readonly SumRow[]): number =>
  stationarySums.reduce((sum, name) => sum + sumOf(rows, name), 0)

/** Ms of vehicles that an aggregation is about. */
const msOf = (aggregation: SpatialAggregation, rows: readonly SumRow[]): number =>
  aggregation === 'average_available'
    ? sumOf(rows, 'available_ms')
    : aggregation === 'average_non_operational'
      ? sumOf(rows, 'non_operational_ms')
      : stationaryMs(rows)

/**
 * How many vehicles stood in a shape on average over the asked days and hours that are over: vehicle-time by time. One on a trip is in no single shape,
 * one that is silent for too long is lost. `n`: vehicle-hours.
 */
export const distribution: Mode = {
  name: 'distribution',
  unitOf: (aggregation) => (aggregation === 'share_of_fleet' ? 'share' : 'vehicles'),
  isMean: () => false,
  basis: ({ now, time, lostAfterHours }) => [Math.min(now, time.until), lostAfterHours],
  query: stationaryByShape,
  cubed: ({ bucket }) => ({ sums: stationaryCubeSums, byOperator: bucket === null }),
  figures(aggregation, { rows, whole, span }) {
    const mean = (ms: number): number => (span.ms > 0 ? ms / span.ms : 0)
    const all = stationaryMs(whole)
    const ms = msOf(aggregation, rows)
    const counts: Record<string, number> = {}
    for (const name of stationarySums) counts[name.slice(0, -3)] = mean(sumOf(rows, name))
    for (const row of rows)
      if (row.operator !== null)
        counts[`operator:${row.operator}`] =
          mean(stationaryMs([row])) + (counts[`operator:${row.operator}`] ?? 0)
    const value =
      aggregation === 'share_of_fleet'
        ? all > 0
          ? (100 * ms) / all
          : null
        : span.ms > 0
          ? ms / span.ms
          : null
    return { value, n: ms / hourMs, counts }
  },
  extent: stationaryExtent,
}
