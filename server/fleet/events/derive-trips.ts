import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as factTable, latest, type Sql, sql } from '#server/stores/sql.ts'
import { dirtyTripsSql, type FleetDerivation, type TripSpan } from './fleet-derivation.ts'
import { tripColumns } from '../trip-columns.ts'
import { tripRows, type TripStep, tripDeletionRows } from './queries/trips.ts'

/** Events and previous versions of a trip are searched within this many days of its current records. */
const searchDays = 14

/** A region's time zone, for local days and hours, and its center, from which distant places are flagged. */
export interface RegionLocation {
  timezone: string
  lat: number
  lon: number
}

/**
 * Derives the dirty trips from reports and events. Returns the time range of all their records with a margin
 * of `searchDays`; null if no trips are dirty.
 */
export async function deriveTrips(
  facts: Facts,
  scope: Scope,
  { regionId, runIds, version }: FleetDerivation,
  { timezone, lat, lon }: RegionLocation,
): Promise<TripSpan | null> {
  const [span] = await facts.rows<{ from: string; until: string; found: string }>(
    scope,
    dirtyTripSpanSql(regionId, runIds),
    { limits: { seconds: 300 } },
  )
  if (!span || span.found === '0') return null
  const searchMs = BigInt(searchDays * 86_400_000)
  const step: TripStep = {
    regionId,
    runIds,
    version,
    timezone,
    lat,
    lon,
    firstEvent: span.from,
    lastEvent: span.until,
    from: String(BigInt(span.from) - searchMs),
    until: String(BigInt(span.until) + searchMs),
  }
  const options = { limits: { seconds: 600, memory: 8 * 2 ** 30 }, areDistinct: true }
  await facts.add(scope, 'trips', { columns: tripColumns, rows: tripRows(step), ...options })
  await facts.add(scope, 'trips', { columns: tripColumns, rows: tripDeletionRows(step), ...options })
  return { from: step.from, until: step.until }
}

/** Builds SQL for the times of the first and last record of the dirty trips (ms), and the number of records. */
const dirtyTripSpanSql = (regionId: string, runIds: readonly string[]): Sql => sql`
  select
    toString(toUnixTimestamp64Milli(min(first))) as from,
    toString(toUnixTimestamp64Milli(max(last))) as until,
    toString(sum(rows)) as found
  from (
    select
      min(event_time) as first,
      max(event_time) as last,
      count() as rows
    from ${factTable('trip_events')}
    where
      region_id = ${bind('String', regionId)}
      and (operator, trip_id) in (${dirtyTripsSql(regionId, runIds)})
    union all
    select
      min(start_time) as first,
      max(start_time) as last,
      count() as rows
    from ${latest('trip_reports')}
    where
      region_id = ${bind('String', regionId)}
      and (operator, trip_id) in (${dirtyTripsSql(regionId, runIds)})
  )
  where rows > 0`
