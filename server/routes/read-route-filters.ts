import type { VehicleType } from '#contract/mobility.ts'
import type { RouteFilters } from '#contract/routes.ts'
import type { Filters } from '#server/fleet/trip-filter-sql.ts'

const parseList = (text: string): string[] =>
  [
    ...new Set(
      text
        .split(',')
        .map((text) => text.trim())
        .filter(Boolean),
    ),
  ].toSorted()

/** Converts the filters of a URL to those of a trip query. */
export function readRouteFilters(
  regionId: string,
  {
    start_date,
    end_date,
    operators,
    vehicle_type,
    vehicle_types,
    days,
    start_time_hour,
    end_time_hour,
  }: RouteFilters,
): Filters {
  return {
    region_id: regionId,
    start_date,
    end_date,
    operators: parseList(operators),
    vehicle_type: vehicle_type ?? null,
    ...(vehicle_types ? { vehicle_types: parseList(vehicle_types) as VehicleType[] } : {}),
    days: parseList(days).map(Number),
    hour_filters: [start_time_hour, end_time_hour],
  }
}
