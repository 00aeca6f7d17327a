import { toDateTime } from '#server/stores/date-time.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'

/** The input of a derivation of a region's fleet. */
export interface FleetDerivation {
  regionId: string
  /** The runs with the vehicles and trips to derive. */
  runIds: readonly string[]
  /** Version of the derived rows, higher than that of any earlier derivation of this region. */
  version: bigint
  /** A vehicle without an event for this many hours is lost (docs/metrics.md). */
  lostAfterHours: number
  /** Whether these vehicles were never derived before, so that no rows must be withdrawn. */
  isFirst?: boolean
}

/** The derivation of a group of vehicles with spans that begin at similar times. */
export interface DerivationStep extends Omit<FleetDerivation, 'runIds'> {
  /** The run with the marks that list the vehicles with the start of their spans. */
  spanRunId: string
  /** The first start of spans, ms. Older events are not read. */
  since: string
  /** The end of the time in which spans start, ms. */
  before: string
}

/** A time range, ms as text. */
export interface TripSpan {
  from: string
  until: string
}

/** Derives routes from the stored trips of a derivation. `lat` is the latitude of the region. */
export type DeriveFromTrips = (
  scope: Scope,
  derivation: FleetDerivation,
  tripSpan: TripSpan,
  lat: number,
) => Promise<void>

const marksSql = (regionId: string, runIds: readonly string[]): Sql =>
  sql`
    ${facts('fleet_marks')}
    where region_id = ${bind('String', regionId)} and run_id in ${bind('Array(UUID)', runIds)}`

/** Builds SQL for the dirty vehicles of runs, with the times since when they are dirty. */
export const dirtyVehiclesSql = (regionId: string, runIds: readonly string[]): Sql =>
  sql`select operator, id as device_id, from_time from ${marksSql(regionId, runIds)} and is_trip = 0`

/** Builds SQL for the dirty trips of runs. */
export const dirtyTripsSql = (regionId: string, runIds: readonly string[]): Sql =>
  sql`select operator, id as trip_id from ${marksSql(regionId, runIds)} and is_trip = 1`

/** Builds the condition for a region's rows with a local day that may be in a time range, in any time zone. */
export const localDaysCondition = ({ regionId, from, until }: { regionId: string } & TripSpan): Sql =>
  sql`
    region_id = ${bind('String', regionId)}
    and local_date between toDate(${toDateTime(from)}) - 1 and toDate(${toDateTime(until)}) + 1`
