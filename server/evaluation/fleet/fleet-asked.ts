import type { FleetQuery } from '#contract/fleet-figures.ts'
import { wholeDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import type { Filters } from '#server/mobility/trip-filter-sql.ts'
import type { Scope } from '#server/stores/scope.ts'
import { askedTime, type AskedTime, type TimeAsked } from '../asked-time.ts'
import { listOf } from '../list-of.ts'

/** A question about a fleet, read. */
export interface FleetAsked {
  scope: Scope
  region: Region
  /** Every hour of every day. */
  asked: TimeAsked
  time: AskedTime
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
): FleetAsked {
  const { start_date, end_date } = query
  const asked: TimeAsked = { start_date, end_date, days: [], hour_filters: wholeDay }
  const filters: FleetAsked['filters'] = {
    region_id: region.regionId,
    start_date,
    end_date,
    operators: listOf(query.operators),
    vehicle_type: query.vehicle_type ?? null,
    days: [],
    hour_filters: wholeDay,
  }
  return { scope, region, asked, filters, time: askedTime(asked, region.timezone), now: at.getTime(), signal }
}
