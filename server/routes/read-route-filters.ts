import type { VehicleType } from '#contract/mobility.ts'
import type { RouteFilters } from '#contract/routes.ts'
import type { Filters } from '#server/fleet/trip-filter-sql.ts'

/** Returns the distinct values of a comma-separated list, sorted as text. */
function parseList(text: string): string[] {
  const values = text.split(',').map((value) => value.trim())
  return [...new Set(values.filter(Boolean))].toSorted()
}

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
