import type { RouteStatistics } from '#contract/routes.ts'
import type { RouteTotals } from './route-queries.ts'
import type { MeasuredRow } from './queries/route-counts.ts'

/** The statistics of the selected trips. */
export function buildRouteStatistics(
  { trips, trips_with_way, trips_matched, meters, byHour }: RouteTotals,
  measured: MeasuredRow | null,
  busiest: RouteStatistics['busiest'],
): RouteStatistics {
  return {
    trips,
    trips_with_way,
    trips_matched,
    matched_share: trips_with_way ? trips_matched / trips_with_way : null,
    ways_length_m: meters,
    distance_m: {
      n: Number(measured?.distances ?? 0),
      mean: measured?.distance_mean ?? null,
      median: measured?.distance_median ?? null,
    },
    duration_s: {
      n: Number(measured?.durations ?? 0),
      mean: measured?.duration_mean ?? null,
      median: measured?.duration_median ?? null,
    },
    by_hour: byHour,
    busiest,
  }
}
