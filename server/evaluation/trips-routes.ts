import * as contract from '#contract/evaluation.ts'
import type { VehicleType } from '#contract/mobility.ts'
import { layerGeometries } from '#server/geography/find-shapes.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { answerByDay, byDayFormat } from './days-as-features.ts'
import { recentTripPlaces } from './queries/most-recent-trips.ts'
import { type ExtentRow, tripsExtent } from './queries/trips-extent.ts'
import { readRecentTripFilters } from './parse-list.ts'
import type { SpatialMaps } from './spatial-maps.ts'
import { aggregationOf, answerTrips, askOfTrips, csvOfTrips, tripsByDay } from './trip-answers.ts'

/** The older calls of the trips map, and the places for its heat map. */
export function tripsRoutes(state: State, facts: Facts, maps: SpatialMaps): Route[] {
  return [
    route(contract.askTripsSpatial, async ({ viewer: { scope }, body, at, signal }) => {
      const start = performance.now()
      return answerTrips(
        await maps.rows({ scope, at, signal }, body.region_id, askOfTrips(body), null),
        aggregationOf(body),
        performance.now() - start,
      )
    }),
    route(
      contract.askTripsByDaySpatial,
      async ({ viewer: { scope }, body: { format, ...body }, headers, at, signal }) => {
        const byDay = tripsByDay(
          await maps.rows({ scope, at, signal }, body.region_id, askOfTrips(body), 'day'),
        )
        return answerByDay({
          format: byDayFormat(format, headers),
          byDay,
          shapes: () => layerGeometries(state, scope, body.shape_layer_uuid),
          csv: (names) => csvOfTrips(byDay, names),
          fileName: `trips-by-day_${body.region_id}_${body.start_date}_${body.end_date}.csv`,
        })
      },
    ),
    route(contract.askMostRecentTrips, async ({ viewer, query, signal }) => {
      await findRegion(state, viewer.scope, query.region_id)
      return {
        data: await facts.rows<{ lon: number; lat: number }>(
          viewer.scope,
          recentTripPlaces(readRecentTripFilters(query), query.location),
          { signal },
        ),
      }
    }),
    route(contract.getTripsExtent, async ({ viewer, params }) => {
      await findRegion(state, viewer.scope, params.region_id)
      const [row] = await facts.rows<ExtentRow>(viewer.scope, tripsExtent(params.region_id))
      const trips = Number(row?.trips ?? 0)
      if (!row || !trips)
        return { trips: 0, first_day: null, last_day: null, operators: [], vehicle_types: [] }
      return {
        trips,
        first_day: row.first_day,
        last_day: row.last_day,
        operators: row.operators,
        vehicle_types: row.vehicle_types as VehicleType[],
      }
    }),
  ]
}
