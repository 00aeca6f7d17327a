import type { z } from 'zod'
import * as contract from '#contract/parking.ts'
import { listCurbParkingEvents } from '#contract/parking-sessions.ts'
import { aggregations } from '#contract/map-names.ts'
import { SpatialRequest, type ShapeFigures } from '#contract/spatial.ts'
import { findLayerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { type Call, type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { type Evaluator, getMsSince } from './evaluate.ts'
import { toCsvByDay, toFiguresByDay, toSpatialResult } from './results.ts'
import { createByDayResponse, negotiateByDayFormat } from './by-day-response.ts'
import { recentParkingPlacesSql } from './queries/recent-places.ts'
import { readHourRange, parseList } from './query-strings.ts'
import { readQueryTime } from './query-time.ts'

/** Declares the older endpoints of the parking map, on the evaluator, and the points of its heat map. */
export function parkingRoutes(state: State, facts: Facts, evaluator: Evaluator): Route[] {
  const readRecentPlaces = async ({
    viewer: { scope },
    params,
    query,
    at,
    signal,
  }: Pick<Call<typeof contract.listParkingEvents>, 'viewer' | 'params' | 'query' | 'at' | 'signal'>) => {
    const { timezone } = await findRegion(state, scope, params.region_id)
    const time = readQueryTime(
      {
        start_date: query.startDate,
        end_date: query.endDate,
        days: query.days,
        hour_filters: readHourRange(query.startTime, query.endTime),
      },
      timezone,
    )
    const places = recentParkingPlacesSql({
      regionId: params.region_id,
      operators: parseList(query.operators),
      vehicleTypes: query.vehicleTypes,
      time,
      parkedMinutes: query.minParkingDuration,
      now: at.getTime(),
    })
    return { data: await facts.rows<{ startLon: number; startLat: number }>(scope, places, { signal }) }
  }
  return [
    route(contract.queryParkingSpatial, async ({ viewer: { scope }, body, at, signal }) => {
      const start = performance.now()
      const requester = { scope, at, signal }
      const evaluation = await evaluator.evaluate(requester, {
        regionId: body.region_id,
        request: toParkingRequest(body),
        bucket: null,
      })
      const { shape_data, mode: _mode, ...result } = toSpatialResult(evaluation, getMsSince(start))
      return { ...result, shape_data: toParkingCountsByShape(shape_data) }
    }),
    route(
      contract.queryParkingByDaySpatial,
      async ({ viewer: { scope }, body: { format, ...body }, headers, at, signal }) => {
        const requester = { scope, at, signal }
        const evaluation = await evaluator.evaluate(requester, {
          regionId: body.region_id,
          request: toParkingRequest(body),
          bucket: 'day',
        })
        const byDay = Object.entries(toFiguresByDay(evaluation))
        return createByDayResponse({
          format: negotiateByDayFormat(format, headers),
          byDay: Object.fromEntries(byDay.map(([day, shapes]) => [day, toParkingCountsByShape(shapes)])),
          readShapes: () => findLayerGeometries(state, scope, body.shape_layer_uuid),
          formatCsv: (names) => [...toCsvByDay(evaluation, names)].join(''),
          fileName: `parking-by-day_${body.region_id}_${body.start_date}_${body.end_date}.csv`,
        })
      },
    ),
    route(contract.listParkingEvents, readRecentPlaces),
    route(listCurbParkingEvents, readRecentPlaces),
  ]
}

/** Converts a question of the older endpoints to a SpatialRequest. */
const toParkingRequest = ({
  agg: _agg,
  direction,
  region_id: _region,
  ...question
}: z.output<typeof contract.ParkingQuestion>): SpatialRequest =>
  SpatialRequest.parse({
    ...question,
    mode: 'parking',
    aggregation: (aggregations.parking as readonly string[]).includes(direction)
      ? direction
      : 'total_parking_events',
  })

/** Converts figures of a shape to the format of the older endpoints. */
const toParkingCounts = ({ value, n, counts }: ShapeFigures): contract.ParkingCounts => ({
  count: counts['count'] ?? 0,
  total_parked_duration: counts['total_parked_duration'] ?? 0,
  value,
  n,
})

const toParkingCountsByShape = (
  shapes: Readonly<Record<string, ShapeFigures>>,
): Record<string, contract.ParkingCounts> =>
  Object.fromEntries(Object.entries(shapes).map(([id, figures]) => [id, toParkingCounts(figures)]))
