import type { z } from 'zod'
import type { queryMostRecentTrips } from '#contract/evaluation.ts'
import type { FigureQuery } from '#contract/layer-figures.ts'
import type { VehicleType } from '#contract/mobility.ts'
import type { HourRange } from '#contract/period.ts'
import { aggregations } from '#contract/map-names.ts'
import { SpatialRequest, type SpatialMode } from '#contract/spatial.ts'
import { Problem } from '#server/http/problem.ts'
import type { Filters } from '#server/fleet/trip-filter-sql.ts'

/** Parses a comma-separated list. */
export const parseList = (text: string | undefined): string[] =>
  text
    ? text
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean)
    : []

/** Reads a request for the figures of a layer. The default aggregation is the first of the mode. */
export function readFigureQuery(mode: SpatialMode, layerId: string, query: FigureQuery): SpatialRequest {
  const supportedAggregations: readonly string[] = aggregations[mode]
  const aggregation = query.aggregation ?? supportedAggregations[0]
  if (!aggregation || !supportedAggregations.includes(aggregation))
    throw new Problem('validation_error', `query.aggregation: one of ${supportedAggregations.join(', ')}`, [
      { path: 'query.aggregation', message: `One of ${supportedAggregations.join(', ')}` },
    ])
  return SpatialRequest.parse({
    mode,
    aggregation,
    shape_layer_uuid: layerId,
    start_date: query.start_date,
    end_date: query.end_date,
    operators: parseList(query.operators),
    vehicle_type: query.vehicle_type ?? null,
    days: query.days,
    hour_filters: [query.start_time_hour, query.end_time_hour],
    buffer: query.buffer,
    parked_duration: query.parked_duration,
  })
}

/** Reads the filters of GET /trips/most_recent_10k. */
export const readRecentTripFilters = (
  query: z.output<(typeof queryMostRecentTrips)['request']['query']>,
): Filters => ({
  region_id: query.region_id,
  start_date: query.start_date,
  end_date: query.end_date,
  operators: parseList(query.operators),
  vehicle_type: query.vehicle_type ?? null,
  vehicle_types: parseList(query.vehicle_types) as VehicleType[],
  days: query.days,
  hour_filters: [query.start_time_hour, query.end_time_hour],
})

/** Reads the hours between two times (HH:MM). Partial hours are included, as filters select full ones. */
export function readHourRange(from = '00:00', until = '24:00'): HourRange {
  const toMinutes = (clock: string): number => {
    const [hour = 0, minute = 0] = clock.split(':').map(Number)
    return hour * 60 + minute
  }
  const start = toMinutes(from)
  const end = toMinutes(until)
  const message = 'The time ends when it starts'
  if (start === end)
    throw new Problem('validation_error', `query.endTime: ${message}`, [{ path: 'query.endTime', message }])
  // The last hour is the one before the first full hour that is not earlier than the end.
  return [Math.floor(start / 60) % 24, (Math.ceil(end / 60) + 23) % 24]
}
