import { csvCell } from '#contract/csv.ts'
import type { z } from 'zod'
import * as contract from '#contract/evaluation.ts'
import { notInShape, type ShapeCounts, type TripAggregation } from '#contract/evaluation.ts'
import type { VehicleType } from '#contract/mobility.ts'
import { type ShapeFigures, SpatialRequest } from '#contract/spatial.ts'
import { findLayerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { type Evaluation, type Evaluator, describeMethod, getMsSince } from './evaluate.ts'
import { toFiguresByDay, toFiguresByShape } from './results.ts'
import { createByDayResponse, negotiateByDayFormat, type FiguresByDay } from './by-day-response.ts'
import { recentTripPlacesSql } from './queries/recent-places.ts'
import { readRecentTripFilters } from './query-strings.ts'
import { findExtent } from './spatial-routes.ts'

/** Returns the older endpoints of the trips map, which use the evaluator, and the points of its heat map. */
export function tripsRoutes(state: State, facts: Facts, evaluator: Evaluator): Route[] {
  return [
    route(contract.queryTripsSpatial, async ({ viewer: { scope }, body, at, signal }) => {
      const start = performance.now()
      const requester = { scope, at, signal }
      const evaluation = await evaluator.evaluate(requester, {
        regionId: body.region_id,
        request: toTripsRequest(body),
        bucket: null,
      })
      return toTripsResponse(evaluation, readAggregation(body), getMsSince(start))
    }),
    route(
      contract.queryTripsByDaySpatial,
      async ({ viewer: { scope }, body: { format, ...body }, headers, at, signal }) => {
        const requester = { scope, at, signal }
        const evaluation = await evaluator.evaluate(requester, {
          regionId: body.region_id,
          request: toTripsRequest(body),
          bucket: 'day',
        })
        const byDay = toTripCountsByDay(evaluation)
        return createByDayResponse({
          format: negotiateByDayFormat(format, headers),
          byDay,
          readShapes: () => findLayerGeometries(state, scope, body.shape_layer_uuid),
          formatCsv: (names) => formatTripsCsv(byDay, names),
          fileName: `trips-by-day_${body.region_id}_${body.start_date}_${body.end_date}.csv`,
        })
      },
    ),
    route(contract.queryMostRecentTrips, async ({ viewer: { scope }, query, signal }) => {
      await findRegion(state, scope, query.region_id)
      const places = recentTripPlacesSql(readRecentTripFilters(query), query.location)
      return { data: await facts.rows<{ lon: number; lat: number }>(scope, places, { signal }) }
    }),
    route(contract.getTripsExtent, async ({ viewer: { scope }, params, signal }) => {
      const question = { regionId: params.region_id, mode: 'trips' as const, signal }
      const extent = await findExtent({ state, facts }, scope, question)
      const { facts: trips, vehicle_types, ...days } = extent
      return { trips, ...days, vehicle_types: vehicle_types as VehicleType[] }
    }),
  ]
}

type RouteQuestion = z.output<typeof contract.SpatialQuestion>
type SpatialResponse = z.infer<typeof contract.SpatialResponse>

/** Reads the aggregation: `direction` is one; `orig` and `dest` mean one together with `agg`. */
export function readAggregation({
  agg,
  direction,
}: Pick<RouteQuestion, 'agg' | 'direction'>): TripAggregation {
  if (direction === 'orig') return agg === 'average_distance' ? 'average_origin_distance' : 'origins'
  if (direction === 'dest')
    return agg === 'average_distance' ? 'average_destination_distance' : 'destinations'
  return direction
}

/** Converts a question of the older endpoints to a SpatialRequest. */
export const toTripsRequest = ({
  agg,
  direction,
  region_id: _region,
  ...question
}: RouteQuestion): SpatialRequest =>
  SpatialRequest.parse({ ...question, mode: 'trips', aggregation: readAggregation({ agg, direction }) })

/** Converts figures of a shape to the format of the older endpoints. */
const toShapeCounts = ({ value, n, counts }: ShapeFigures, aggregation: string): ShapeCounts =>
  aggregation === 'intersect'
    ? { orig: null, dest: null, count: n, value, n }
    : { orig: counts['orig'] ?? 0, dest: counts['dest'] ?? 0, count: counts['count'] ?? 0, value, n }

const toCountsByShape = (
  shapes: Record<string, ShapeFigures>,
  aggregation: string,
): Record<string, ShapeCounts> =>
  Object.fromEntries(Object.entries(shapes).map(([id, figures]) => [id, toShapeCounts(figures, aggregation)]))

/**
 * Returns the counts that an aggregation totals. With a selected shape, origins are those of trips that
 * end in it, and destinations those of trips that start in it, so the two have different totals.
 */
function getTotalSide(aggregation: TripAggregation): 'orig' | 'dest' | 'count' {
  if (aggregation === 'orig_or_dest') return 'count'
  return aggregation.includes('dest') ? 'dest' : 'orig'
}

/** Returns the response of POST /trips/spatial: every shape of the layer, and NOT_IN_SHAPE. */
export function toTripsResponse(
  evaluation: Evaluation,
  aggregation: TripAggregation,
  milliseconds: number,
): SpatialResponse {
  const { shapes, region, span } = toFiguresByShape(evaluation)
  const shape_data = toCountsByShape(shapes, aggregation)
  const regionCounts = toShapeCounts(region, aggregation)
  const countedSides = aggregation === 'intersect' ? (['count'] as const) : (['orig', 'dest'] as const)
  const sumOfShapes = (side: 'orig' | 'dest' | 'count'): number =>
    Object.values(shape_data).reduce((sum, counts) => sum + (counts[side] ?? 0), 0)
  const totalSide = getTotalSide(aggregation)
  return {
    shape_data,
    total: regionCounts[totalSide] ?? regionCounts.count,
    aggregation,
    unit: evaluation.mode.getUnit(aggregation) as SpatialResponse['unit'],
    days: span.days,
    overlaps: countedSides.some((counted) => sumOfShapes(counted) > (regionCounts[counted] ?? 0)),
    method: describeMethod(evaluation),
    milliseconds,
    from: evaluation.from,
  }
}

/** Returns counts by day and shape. Daily values are divided by one day. */
export const toTripCountsByDay = (evaluation: Evaluation): FiguresByDay<ShapeCounts> =>
  Object.fromEntries(
    Object.entries(toFiguresByDay(evaluation)).map(([day, shapes]) => [
      day,
      toCountsByShape(shapes, evaluation.request.aggregation),
    ]),
  )

/** Formats counts as CSV, one line per day and shape, in order of days and names. */
export function formatTripsCsv(byDay: FiguresByDay<ShapeCounts>, names: ReadonlyMap<string, string>): string {
  const lines = ['date,shape_uuid,shape_name,origins,destinations,origins_or_destinations,value,n']
  const getName = (id: string): string => names.get(id) ?? id
  for (const [day, shapes] of Object.entries(byDay)) {
    const sortedShapes = Object.entries(shapes).sort(([a], [b]) => getName(a).localeCompare(getName(b)))
    for (const [id, { orig, dest, count, value, n }] of sortedShapes) {
      const name = csvCell(id === notInShape ? notInShape : (names.get(id) ?? ''))
      lines.push([day, id, name, orig ?? '', dest ?? '', count, value ?? '', n].join(','))
    }
  }
  return lines.join('\n') + '\n'
}
