import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, latest, type Sql, sql } from '#server/stores/sql.ts'
import { dirtyTrips, type FleetDerivation, type TripSpan } from './fleet-derivation.ts'
import { tripColumns } from '../trip-columns.ts'
import { tripRows, type TripSteps, withdrawnTrips } from './queries/trips.ts'

/** The events of a trip and its previous version are within this many days of its current records. */
const searchDays = 14

/** The region's zone and center: days and hours are local, places far off are flagged. */
export interface RegionLocation {
  timezone: string
  lat: number
  lon: number
}

/** Assembles the dirty trips again from reports and events. Returns the time range of all their records; null without dirty trips. */
export async function deriveTrips(
  store: Facts,
  scope: Scope,
  { regionId, runIds, version }: FleetDerivation,
  { timezone, lat, lon }: RegionLocation,
): Promise<TripSpan | null> {
  const [span] = await store.rows<{ from: string; until: string; found: string }>(
    scope,
    dirtyTripSpan(regionId, runIds),
    { limits: { seconds: 300 } },
  )
  if (!span || span.found === '0') return null
  const reach = BigInt(searchDays * 86_400_000)
  const steps: TripSteps = {
    regionId,
    runIds,
    version,
    timezone,
    lat,
    lon,
    firstEvent: span.from,
    lastEvent: span.until,
    from: String(BigInt(span.from) - reach),
    until: String(BigInt(span.until) + reach),
  }
  const limits = { limits: { seconds: 600, memory: 8 * 2 ** 30 }, areDistinct: true }
  await store.add(scope, 'trips', tripColumns, tripRows(steps), limits)
  await store.add(scope, 'trips', tripColumns, withdrawnTrips(steps), limits)
  return { from: steps.from, until: steps.until }
}

/** First and last moment that is known of the dirty trips, ms. */
const dirtyTripSpan = (regionId: string, runIds: readonly string[]): Sql => sql`
  select toString(toUnixTimestamp64Milli(min(first))) as from, toString(toUnixTimestamp64Milli(max(last))) as until, toString(sum(rows)) as found
  from (
    select min(event_time) as first, max(event_time) as last, count() as rows from ${facts('trip_events')}
    where region_id = ${bind('String', regionId)} and (operator, trip_id) in (${dirtyTrips(regionId, runIds)})
    union all
    select min(start_time) as first, max(start_time) as last, count() as rows from ${latest('trip_reports')}
    where region_id = ${bind('String', regionId)} and (operator, trip_id) in (${dirtyTrips(regionId, runIds)})
  )
  where rows > 0`
