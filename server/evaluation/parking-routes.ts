import type { z } from 'zod'
import * as contract from '#contract/parking.ts'
import type { HourRange } from '#contract/period.ts'
import { aggregations, SpatialRequest, type ShapeFigures } from '#contract/spatial.ts'
import { layerGeometries } from '#server/geography/find-shapes.ts'
import { Problem } from '#server/http/problem.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { buildSpatialAnswer } from './spatial-answer.ts'
import { readQueryTime } from './query-time.ts'
import { csvOfDays } from './csv-of-days.ts'
import { answerByDay, byDayFormat } from './days-as-features.ts'
import { figuresByDay } from './figures-by-day.ts'
import { parseList } from './parse-list.ts'
import { millisecondsSince, type SpatialMaps } from './spatial-maps.ts'
import { newestParkingPlaces } from './queries/newest-parking-places.ts'

/** The map's question in its newer form. */
const askOf = ({
  agg: _agg,
  direction,
  region_id: _region,
  ...ask
}: z.output<typeof contract.ParkingQuestion>): SpatialRequest =>
  SpatialRequest.parse({
    ...ask,
    mode: 'parking',
    aggregation: (aggregations.parking as readonly string[]).includes(direction)
      ? direction
      : 'total_parking_events',
  })

const countsOf = ({ value, n, counts }: ShapeFigures): contract.ParkingCounts => ({
  count: counts['count'] ?? 0,
  total_parked_duration: counts['total_parked_duration'] ?? 0,
  value,
  n,
})

const countsOfAll = (
  shapes: Readonly<Record<string, ShapeFigures>>,
): Record<string, contract.ParkingCounts> =>
  Object.fromEntries(Object.entries(shapes).map(([id, figures]) => [id, countsOf(figures)]))

/** The hours of the clock from HH:MM until before HH:MM; times within an hour stand for the whole hour. */
export function hoursOfClock(from = '00:00', until = '24:00'): HourRange {
  const minutesOf = (clock: string): number => {
    const [hour = 0, minute = 0] = clock.split(':').map(Number)
    return hour * 60 + minute
  }
  const [start, end] = [minutesOf(from), minutesOf(until)]
  const message = 'The time ends when it starts'
  if (start === end)
    throw new Problem('validation_error', `query.endTime: ${message}`, [{ path: 'query.endTime', message }])
  return [Math.floor(start / 60) % 24, (Math.ceil(end / 60) + 23) % 24]
}

/** The older calls of the parking map, and the places for its heat map. */
export function parkingRoutes(state: State, facts: Facts, maps: SpatialMaps): Route[] {
  return [
    route(contract.askParkingSpatial, async ({ viewer: { scope }, body, at, signal }) => {
      const start = performance.now()
      const {
        shape_data,
        mode: _mode,
        ...answer
      } = buildSpatialAnswer(await maps.rows({ scope, at, signal }, body.region_id, askOf(body), null), 0)
      return { ...answer, shape_data: countsOfAll(shape_data), milliseconds: millisecondsSince(start) }
    }),
    route(
      contract.askParkingByDaySpatial,
      async ({ viewer: { scope }, body: { format, ...body }, headers, at, signal }) => {
        const found = await maps.rows({ scope, at, signal }, body.region_id, askOf(body), 'day')
        const byDay = Object.fromEntries(
          Object.entries(figuresByDay(found)).map(([day, shapes]) => [day, countsOfAll(shapes)]),
        )
        return answerByDay({
          format: byDayFormat(format, headers),
          byDay,
          shapes: () => layerGeometries(state, scope, body.shape_layer_uuid),
          csv: (names) => [...csvOfDays(found, names)].join(''),
          fileName: `parking-by-day_${body.region_id}_${found.ask.start_date}_${found.ask.end_date}.csv`,
        })
      },
    ),
    route(contract.listParkingEvents, async ({ viewer: { scope }, params, query, at, signal }) => {
      const { timezone } = await findRegion(state, scope, params.region_id)
      const time = readQueryTime(
        {
          start_date: query.startDate,
          end_date: query.endDate,
          days: query.days,
          hour_filters: hoursOfClock(query.startTime, query.endTime),
        },
        timezone,
      )
      const asked = {
        regionId: params.region_id,
        operators: parseList(query.operators),
        vehicleTypes: query.vehicleTypes,
        time,
        parkedMinutes: query.minParkingDuration,
        now: at.getTime(),
      }
      return {
        data: await facts.rows<{ startLon: number; startLat: number }>(scope, newestParkingPlaces(asked), {
          signal,
        }),
      }
    }),
  ]
}
