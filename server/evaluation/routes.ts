import * as contract from '#contract/evaluation.ts'
import type { VehicleType } from '#contract/mobility.ts'
import { listShapes } from '#server/geography/find-shapes.ts'
import type { LayerMembership } from '#server/geography/layer-membership.ts'
import { RawAnswer, type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/find-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { answerByDay, csvByDay } from './answer-by-day.ts'
import { answerSpatial } from './answer-spatial.ts'
import { TripsByShape } from './ask-trips-by-shape.ts'
import { mostRecentTripPlaces } from './queries/most-recent-trips.ts'
import { type ExtentRow, tripsExtent } from './queries/trips-extent.ts'
import { readRecentAsk } from './read-recent-ask.ts'

export function evaluationRoutes(state: State, facts: Facts, membership: LayerMembership): Route[] {
  const tripsByShape = new TripsByShape(state, facts, membership)
  return [
    route(contract.askTripsSpatial, async ({ viewer, body, signal }) => {
      const start = performance.now()
      return answerSpatial(body, await tripsByShape.ask(viewer.scope, body, false, signal), performance.now() - start)
    }),
    route(contract.askTripsByDaySpatial, async ({ viewer, body, signal }) => {
      const { format, ...question } = body
      const byDay = answerByDay(question, await tripsByShape.ask(viewer.scope, question, true, signal))
      if (format === 'json') return { shape_data_by_day: byDay }
      const { items } = await listShapes(state, viewer.scope, body.region_id, { shape_layer_uuid: body.shape_layer_uuid, page: 1, size: 100_000 })
      const csv = csvByDay(byDay, new Map(items.map((shape) => [shape.shape_uuid, shape.shape_name])))
      return new RawAnswer(Buffer.from(csv), { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="trips-by-day_${body.region_id}_${body.start_date}_${body.end_date}.csv"` })
    }),
    route(contract.askMostRecentTrips, async ({ viewer, query, signal }) => {
      await findRegion(state, viewer.scope, query.region_id)
      return { data: await facts.rows<{ lon: number; lat: number }>(viewer.scope, mostRecentTripPlaces(readRecentAsk(query), query.location), { signal }) }
    }),
    route(contract.getTripsExtent, async ({ viewer, params }) => {
      await findRegion(state, viewer.scope, params.region_id)
      const [row] = await facts.rows<ExtentRow>(viewer.scope, tripsExtent(params.region_id))
      const trips = Number(row?.trips ?? 0)
      if (!row || !trips) return { trips: 0, first_day: null, last_day: null, operators: [], vehicle_types: [] }
      return { trips, first_day: row.first_day, last_day: row.last_day, operators: row.operators, vehicle_types: row.vehicle_types as VehicleType[] }
    }),
  ]
}
