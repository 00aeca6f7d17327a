import { createTimeSlicer } from '#server/stores/time-slices.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { FleetDerivation } from '../fleet/fleet-derivation.ts'
import type { TripSpan } from '../fleet/derive-trips.ts'
import { onLocalDays, dirtyTrips } from '../fleet/queries/trips.ts'
import { routeColumns, routeLine } from './route-line.ts'
import type { StreetGrids } from './street-grids.ts'
import {
  telemetryExists,
  dirtyTripsSpan,
  telemetryOfTrips,
  type TripRuns,
  type TripTelemetry,
} from './telemetry-of-trips.ts'

/** Trips per query of telemetry. */
const tripsPerBatch = 4000

/**
 * The routes of the dirty trips, of their telemetry: simplified, matched to the region's streets. To be called once the trips are
 * derived; `reach`: as that answered; `since`: routes before this local day remain as they are, because their telemetry was removed.
 */
export async function deriveRoutes(
  store: Facts,
  scope: Scope,
  { regionId, runIds, version }: FleetDerivation,
  { since, ...reach }: TripSpan & { since: string | null },
  streets: StreetGrids,
  lat: number,
): Promise<void> {
  const tripRuns = { regionId, runIds, reach }
  const limits = { limits: { seconds: 600, memory: 8 * 2 ** 30 } }
  const [span] = await store.rows<{ trips: string; from: string; until: string }>(
    scope,
    dirtyTripsSpan(tripRuns),
    limits,
  )
  const trips = Number(span?.trips ?? 0)
  if (
    span &&
    trips &&
    (await store.rows(scope, telemetryExists(regionId, span.from, span.until), limits)).length
  ) {
    const parts = Math.ceil(trips / tripsPerBatch)
    const grid = await streets.load(scope, regionId, lat)
    for (let part = 0; part < parts; part++) {
      const found = await store.rows<TripTelemetry>(
        scope,
        telemetryOfTrips({ ...tripRuns, parts, part }, span.from, span.until),
        limits,
      )
      const lines: string[] = []
      const nextSlice = createTimeSlicer()
      for (const trip of found) {
        await nextSlice()
        if (since !== null && trip.local_date < since) continue
        lines.push(routeLine(trip, grid, { regionId, version, lat }))
      }
      if (lines.length)
        await store.insert(scope, 'trip_routes', routeColumns, regionId, Buffer.from(lines.join('')))
    }
  }
  await store.add(scope, 'trip_routes', routeColumns, withdrawnRoutes(tripRuns, version, since), limits)
}

/** Routes of dirty trips that were not found again, as rows that delete them. */
const withdrawnRoutes = (
  { regionId, runIds, reach }: TripRuns,
  version: bigint,
  since: string | null,
): Sql => {
  const changedColumns: Readonly<Record<string, Sql>> = {
    is_deleted: sql`1`,
    version: sql`${bind('UInt64', version)}`,
  }
  return sql`
  select ${joinSql(
    routeColumns.map((name) => changedColumns[name] ?? identifier(name)),
    ', ',
  )}
  from ${latest('trip_routes')}
  where ${onLocalDays({ regionId, ...reach })} and version < ${bind('UInt64', version)} and (operator, trip_id) in (${dirtyTrips(regionId, runIds)})${
    since === null ? sql`` : sql` and local_date >= ${bind('Date', since)}`
  }`
}
