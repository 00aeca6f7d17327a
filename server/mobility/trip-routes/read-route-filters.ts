import type { RouteFilters } from '#contract/routes.ts'
import { Problem } from '#server/http/problem.ts'
import type { Filters } from '../trip-filter-sql.ts'

const listOf = (text: string): string[] => [...new Set(text.split(',').map((each) => each.trim()).filter(Boolean))].toSorted()

/** The filters of an address as those of a trip question. Swapped days are put in order. */
export function readRouteFilters(regionId: string, { start_date: a, end_date: b, operators, vehicle_type, days, start_hour: from, end_hour: until }: RouteFilters): Filters {
  if (from >= until) throw new Problem('validation_error', 'query.start_hour: The first hour must come before the last', [{ path: 'query.start_hour', message: 'The first hour must come before the last' }])
  const [start_date, end_date] = a && b && a > b ? [b, a] : [a, b]
  return { region_id: regionId, start_date, end_date, operators: listOf(operators), vehicle_type: vehicle_type ?? null, days: listOf(days).map(Number), hour_filters: [from, until] }
}
