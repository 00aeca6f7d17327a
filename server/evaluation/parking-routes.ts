import type { z } from 'zod'
import * as contract from '#contract/parking.ts'
import { aggregations, SpatialAsk, type ShapeFigures } from '#contract/spatial.ts'
import { layerGeometries } from '#server/geography/find-shapes.ts'
import { Problem } from '#server/http/problem.ts'
import { RawAnswer, type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/find-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { answerFound } from './answer-found.ts'
import { askedTime } from './asked-time.ts'
import { csvOfDays } from './csv-of-days.ts'
import { figuresByDay } from './figures-by-day.ts'
import { listOf, weekdaysOf } from './list-of.ts'
import { millisecondsSince } from './method-of.ts'
import { newestParkingPlaces } from './queries/newest-parking-places.ts'
import { inOrder } from './same-filters.ts'
import type { SpatialMaps } from './spatial-maps.ts'

/** The map's question in its newer form. */
const askOf = ({ agg: _agg, direction, region_id: _region, ...ask }: z.output<typeof contract.ParkingQuestion>): SpatialAsk =>
  SpatialAsk.parse({ ...ask, mode: 'parking', aggregation: (aggregations.parking as readonly string[]).includes(direction) ? direction : 'total_parking_events' })

const countsOf = ({ value, n, counts }: ShapeFigures): contract.ParkingCounts => ({ count: counts['count'] ?? 0, total_parked_duration: counts['total_parked_duration'] ?? 0, value, n })

const countsOfAll = (shapes: Readonly<Record<string, ShapeFigures>>): Record<string, contract.ParkingCounts> => Object.fromEntries(Object.entries(shapes).map(([id, figures]) => [id, countsOf(figures)]))

/** Hours from HH:MM to HH:MM, the last excluded. */
function hoursOf(from: string | undefined, until: string | undefined): [number, number] {
  const hours: [number, number] = [Number.parseInt(from ?? '0', 10), Number.parseInt(until ?? '24', 10)]
  if (hours[0] >= hours[1]) throw new Problem('validation_error', 'query.startTime: the first hour must come before the last', [{ path: 'query.startTime', message: 'The first hour must come before the last' }])
  return hours
}

/** The older calls of the parking map, and the places for its heat map. */
export function parkingRoutes(state: State, facts: Facts, maps: SpatialMaps): Route[] {
  return [
    route(contract.askParkingSpatial, async ({ viewer: { scope }, body, at, signal }) => {
      const start = performance.now()
      const { shape_data, mode: _mode, ...answer } = answerFound(await maps.rows({ scope, at, signal }, body.region_id, askOf(body), null), 0)
      return { ...answer, shape_data: countsOfAll(shape_data), milliseconds: millisecondsSince(start) }
    }),
    route(contract.askParkingByDaySpatial, async ({ viewer: { scope }, body: { format, ...body }, at, signal }) => {
      const found = await maps.rows({ scope, at, signal }, body.region_id, askOf(body), 'day')
      if (format === 'json') return { shape_data_by_day: Object.fromEntries(Object.entries(figuresByDay(found)).map(([day, shapes]) => [day, countsOfAll(shapes)])) }
      const names = new Map((await layerGeometries(state, scope, body.shape_layer_uuid)).map(({ shapeId, name }) => [shapeId, name]))
      const file = `parking-by-day_${body.region_id}_${found.ask.start_date}_${found.ask.end_date}.csv`
      return new RawAnswer(Buffer.from([...csvOfDays(found, names)].join('')), { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${file}"` })
    }),
    route(contract.listParkingEvents, async ({ viewer: { scope }, params, query, at, signal }) => {
      const { timezone } = await findRegion(state, scope, params.region_id)
      const { start_date, end_date } = inOrder({ start_date: query.startDate, end_date: query.endDate })
      const time = askedTime({ start_date, end_date, days: weekdaysOf(query.days), hour_filters: hoursOf(query.startTime, query.endTime) }, timezone)
      const asked = { regionId: params.region_id, operators: listOf(query.operators), vehicleTypes: listOf(query.vehicleTypes), time, parkedMinutes: query.minParkingDuration, now: at.getTime() }
      return { data: await facts.rows<{ startLon: number; startLat: number }>(scope, newestParkingPlaces(asked), { signal }) }
    }),
  ]
}
