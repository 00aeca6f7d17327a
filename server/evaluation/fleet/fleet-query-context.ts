import type { FleetQuery } from '#contract/fleet-figures.ts'
import { fullDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { FleetQuestion } from '#server/fleet/fleet-size/fleet-question.ts'
import type { Filters } from '#server/fleet/trip-filter-sql.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { Requester } from '../evaluate.ts'
import { factConditions } from '../queries/fact-sql.ts'
import { parseList } from '../query-strings.ts'
import { readQueryTime, type QueryTime } from '../query-time.ts'

/** Inputs of a question about a fleet, for all hours of a range of days. */
export interface FleetQueryContext {
  scope: Scope
  region: Region
  time: QueryTime
  filters: Filters & { start_date: string; end_date: string }
  /** Time of the request, ms. Open intervals end here. */
  now: number
  signal: AbortSignal
}

/** Reads the query string of a request for fleet figures. */
export function readFleetQuery(
  { scope, at, signal }: Requester,
  region: Region,
  { start_date, end_date, operators, vehicle_type }: FleetQuery,
): FleetQueryContext {
  const allHours = { start_date, end_date, days: [], hour_filters: fullDay }
  return {
    scope,
    region,
    filters: {
      ...allHours,
      region_id: region.regionId,
      operators: parseList(operators),
      vehicle_type: vehicle_type ?? null,
    },
    time: readQueryTime(allHours, region.timezone),
    now: at.getTime(),
    signal,
  }
}

/** Returns the fleet size question for a part of a query's time. */
export const toFleetSizeQuestion = (
  { region, filters, now }: FleetQueryContext,
  { from, until }: Pick<QueryTime, 'from' | 'until'>,
  by: FleetQuestion['by'],
): FleetQuestion => ({
  regionId: region.regionId,
  from,
  until: Math.min(until, now),
  timezone: region.timezone,
  operatingFrom: region.operatingHours.from,
  operatingUntil: region.operatingHours.until,
  lostAfterHours: region.lostAfterHours,
  where: factConditions(filters),
  by,
})
