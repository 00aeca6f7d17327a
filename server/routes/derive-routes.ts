import {
  type DeriveFromTrips,
  dirtyTripsSql,
  type FleetDerivation,
  localDaysCondition,
  type TripSpan,
} from '#server/fleet/events/fleet-derivation.ts'
import { findFirstOpenDay, findRemovedBefore } from '#server/regions/fact-limits.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts as factTable, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { createTimeSlicer } from '#server/stores/time-slices.ts'
import { makeRouteLine, routeColumns } from './route-line.ts'
import { StreetGrids } from './street-grids.ts'
import {
  telemetryExistsSql,
  dirtyTripsSpanSql,
  telemetryOfTripsSql,
  type TripRuns,
  type TripTelemetry,
} from './telemetry-of-trips.ts'
import { markRouteDaysDirty } from './volumes/route-volumes-product.ts'

/** The number of trips with telemetry in one query. */
const tripsPerBatch = 4000

interface RouteStores {
  state: State
  facts: Facts
}

/** Derives the routes of derived trips and marks the days with changed street volumes. */
export function createRouteDerivation({ state, facts }: RouteStores): DeriveFromTrips {
  const streets = new StreetGrids(state)
  return async (scope, derivation, reach, lat) => {
    const since = findFirstOpenDay(await findRemovedBefore(state, scope, derivation.regionId), ['telemetry'])
    await deriveRoutes(facts, scope, derivation, { span: { ...reach, since }, streets, lat })
    await markDerivedDaysDirty({ state, facts }, scope, derivation, reach)
  }
}

/**
 * Marks the local days for which a derivation stored or deleted routes. Must be called before the lists of
 * dirty trips are emptied, so that an interrupted derivation runs again and marks them then.
 */
export async function markDerivedDaysDirty(
  { state, facts }: { state: Pick<State, 'as'>; facts: Facts },
  scope: Scope,
  { regionId, version }: Pick<FleetDerivation, 'regionId' | 'version'>,
  reach: TripSpan,
): Promise<void> {
  const rows = await facts.rows<{ day: string }>(
    scope,
    sql`
      select distinct toString(local_date) as day
      from ${factTable('trip_routes')}
      where ${localDaysCondition({ regionId, ...reach })} and version = ${bind('UInt64', version)}`,
  )
  await markRouteDaysDirty(
    state,
    scope,
    regionId,
    rows.map(({ day }) => day),
  )
}

/**
 * Stores the routes of dirty trips from their telemetry, simplified and matched to the region's streets.
 * Routes before the local day `since` are not changed, because their telemetry was removed by retention.
 */
async function deriveRoutes(
  facts: Facts,
  scope: Scope,
  { regionId, runIds, version }: FleetDerivation,
  {
    span: { since, ...reach },
    streets,
    lat,
  }: { span: TripSpan & { since: string | null }; streets: StreetGrids; lat: number },
): Promise<void> {
  const tripRuns = { regionId, runIds, reach }
  const queryOptions = { limits: { seconds: 600, memory: 8 * 2 ** 30 } }
  const [span] = await facts.rows<{ trips: string; from: string; until: string }>(
    scope,
    dirtyTripsSpanSql(tripRuns),
    queryOptions,
  )
  const tripCount = Number(span?.trips ?? 0)
  if (
    span &&
    tripCount &&
    (await facts.rows(scope, telemetryExistsSql(regionId, span.from, span.until), queryOptions)).length
  ) {
    const parts = Math.ceil(tripCount / tripsPerBatch)
    const grid = await streets.load(scope, regionId, lat)
    for (let part = 0; part < parts; part++) {
      const tripsOfPart = await facts.rows<TripTelemetry>(
        scope,
        telemetryOfTripsSql({ ...tripRuns, parts, part }, span.from, span.until),
        queryOptions,
      )
      const lines: string[] = []
      const nextSlice = createTimeSlicer()
      for (const trip of tripsOfPart) {
        await nextSlice()
        if (since !== null && trip.local_date < since) continue
        lines.push(makeRouteLine(trip, grid, { regionId, version, lat }))
      }
      if (lines.length)
        await facts.insert(scope, 'trip_routes', {
          columns: routeColumns,
          regionId,
          lines: Buffer.from(lines.join('')),
        })
    }
  }
  await facts.add(scope, 'trip_routes', {
    columns: routeColumns,
    rows: staleRouteDeletionRows(tripRuns, version, since),
    ...queryOptions,
  })
}

/** Builds SQL for rows that delete the routes of dirty trips for which this derivation stored none. */
const staleRouteDeletionRows = (
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
    where
      ${localDaysCondition({ regionId, ...reach })}
      and version < ${bind('UInt64', version)}
      and (operator, trip_id) in (${dirtyTripsSql(regionId, runIds)})${
        since === null ? sql`` : sql` and local_date >= ${bind('Date', since)}`
      }`
}
