import { instant } from '#server/stores/instant.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, type Sql, sql } from '#server/stores/sql.ts'

export interface FleetDerivation {
  regionId: string
  /** The runs of which the vehicles are derived again. */
  runIds: readonly string[]
  /** Counts derivations: higher than any before in this region. */
  version: bigint
  /** Without an event for this long, a vehicle is lost (docs/metrics.md: lostAfterHours). */
  lostAfterHours: number
  /** Whether nothing was derived of these vehicles before, so that no rows must be withdrawn. */
  isFirst?: boolean
}

/** The input of every derivation step: the vehicles, and from when on. */
export interface DerivationStep extends Omit<FleetDerivation, 'runIds'> {
  spans: string
  /** The spans that begin from here on, ms: nothing older is read. */
  since: string
  /** And before this. */
  before: string
}

/** Between two moments, ms as text. */
export interface TripSpan {
  from: string
  until: string
}

/** Derives more from the trips of a derivation once they are stored: `reach` is their time range, `lat` that of the region. */
export type DeriveFromTrips = (
  scope: Scope,
  derivation: FleetDerivation,
  reach: TripSpan,
  lat: number,
) => Promise<void>

const marksOf = (regionId: string, runIds: readonly string[]): Sql =>
  sql`${facts('fleet_marks')} where region_id = ${bind('String', regionId)} and run_id in ${bind('Array(UUID)', runIds)}`

/** The dirty vehicles, each with the moments from which on it is. */
export const dirtyVehicles = (regionId: string, runIds: readonly string[]): Sql =>
  sql`select operator, id as device_id, from_time from ${marksOf(regionId, runIds)} and is_trip = 0`

/** The dirty trips. */
export const dirtyTrips = (regionId: string, runIds: readonly string[]): Sql =>
  sql`select operator, id as trip_id from ${marksOf(regionId, runIds)} and is_trip = 1`

/** Rows of a region of which the local day may lie between two moments. */
export const onLocalDays = ({ regionId, from, until }: { regionId: string } & TripSpan): Sql =>
  sql`region_id = ${bind('String', regionId)} and local_date between toDate(${instant(from)}) - 1 and toDate(${instant(until)}) + 1`
