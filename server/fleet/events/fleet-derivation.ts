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
  /** The step derives spans that begin from `since` until `before` (ms), and reads no older events. */
  since: string
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

const selectMarks = (regionId: string, runIds: readonly string[]): Sql =>
  sql`
    ${facts('fleet_marks')}
    where region_id = ${bind('String', regionId)} and run_id in ${bind('Array(UUID)', runIds)}`

/** Selects the dirty vehicles of runs, with the times since when they are dirty. */
export const dirtyVehicles = (regionId: string, runIds: readonly string[]): Sql =>
  sql`select operator, id as device_id, from_time from ${selectMarks(regionId, runIds)} and is_trip = 0`

export const dirtyTrips = (regionId: string, runIds: readonly string[]): Sql =>
  sql`select operator, id as trip_id from ${selectMarks(regionId, runIds)} and is_trip = 1`

/** Tests whether the local day of a region's rows may be within a time range, in any time zone. */
export const onLocalDays = ({ regionId, from, until }: { regionId: string } & TripSpan): Sql =>
  sql`
    region_id = ${bind('String', regionId)}
    and local_date between toDate(${toDateTime(from)}) - 1 and toDate(${toDateTime(until)}) + 1`
