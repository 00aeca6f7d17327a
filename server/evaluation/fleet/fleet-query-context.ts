import type { FleetQuery } from '#contract/fleet-figures.ts'
import { fullDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { Filters } from '#server/mobility/trip-filter-sql.ts'
import type { Scope } from '#server/stores/scope.ts'
import { readQueryTime, type QueryTime, type TimeFilters } from '../query-time.ts'
import { parseList } from '../parse-list.ts'

/** A question about a fleet, read. */
export interface FleetQueryContext {
  scope: Scope
  region: Region
  /** Every hour of every day. */
  asked: TimeFilters
  time: QueryTime
  filters: Filters & { start_date: string; end_date: string }
  /** The moment of the asking, ms: nothing behind it has happened. */
  now: number
  signal: AbortSignal
}

/** Reads the query of a GET about a fleet. */
export function readFleetQuery(
  scope: Scope,
  region: Region,
  query: FleetQuery,
  at: Date,
  signal: AbortSignal,
): FleetQueryContext {
  const { start_date, end_date } = query
  const asked: TimeFilters = { start_date, end_date, days: [], hour_filters: fullDay }
  const filters: FleetQueryContext['filters'] = {
    region_id: region.regionId,
    start_date,
    end_date,
    operators: parseList(query.operators),
    vehicle_type: query.vehicle_type ?? null,
    days: [],
    hour_filters: fullDay,
  }
  return {
    scope,
    region,
    asked,
    filters,
    time: readQueryTime(asked, region.timezone),
    now: at.getTime(),
    signal,
  }
}
