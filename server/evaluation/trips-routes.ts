import { csvCell } from '#contract/csv.ts'
import type { z } from 'zod'
import * as contract from '#contract/evaluation.ts'
import { notInShape, type ShapeCounts, type TripAggregation } from '#contract/evaluation.ts'
import type { VehicleType } from '#contract/mobility.ts'
import { type ShapeFigures, SpatialRequest } from '#contract/spatial.ts'
import { layerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { type Route, route } from '#server/http/route.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { type Evaluation, type Evaluator, methodOf, millisecondsSince } from './evaluate.ts'
import { figuresByDay, figuresByShape } from './present.ts'
import { answerByDay, byDayFormat, type FiguresByDay } from './days-as-features.ts'
import { recentTripPlaces } from './queries/recent-places.ts'
import { readRecentTripFilters } from './query-strings.ts'
import { findExtent } from './spatial-routes.ts'

/** The older endpoints of the trips map, as adapters over the evaluator, and the places of its heat map. */
export function tripsRoutes(state: State, facts: Facts, evaluator: Evaluator): Route[] {
  return [
    route(contract.queryTripsSpatial, async ({ viewer: { scope }, body, at, signal }) => {
      const start = performance.now()
      const requester = { scope, at, signal }
      const evaluation = await evaluator.evaluate(requester, body.region_id, tripsRequest(body), null)
      return tripsAnswer(evaluation, aggregationOf(body), millisecondsSince(start))
    }),
    route(
      contract.queryTripsByDaySpatial,
      async ({ viewer: { scope }, body: { format, ...body }, headers, at, signal }) => {
        const requester = { scope, at, signal }
        const evaluation = await evaluator.evaluate(requester, body.region_id, tripsRequest(body), 'day')
        const byDay = tripsByDay(evaluation)
        return answerByDay({
          format: byDayFormat(format, headers),
          byDay,
          shapes: () => layerGeometries(state, scope, body.shape_layer_uuid),
          csv: (names) => csvOfTrips(byDay, names),
          fileName: `trips-by-day_${body.region_id}_${body.start_date}_${body.end_date}.csv`,
        })
      },
    ),
    route(contract.queryMostRecentTrips, async ({ viewer: { scope }, query, signal }) => {
      await findRegion(state, scope, query.region_id)
      const places = recentTripPlaces(readRecentTripFilters(query), query.location)
      return { data: await facts.rows<{ lon: number; lat: number }>(scope, places, { signal }) }
    }),
    route(contract.getTripsExtent, async ({ viewer: { scope }, params, signal }) => {
      const extent = await findExtent(state, facts, scope, params.region_id, 'trips', signal)
      const { facts: trips, vehicle_types, ...days } = extent
      return { trips, ...days, vehicle_types: vehicle_types as VehicleType[] }
    }),
  ]
}

type Question = z.output<typeof contract.SpatialQuestion>
type SpatialAnswer = z.infer<typeof contract.SpatialAnswer>

/** The aggregation of a question: `direction`, or orig and dest with `agg`. */
export function aggregationOf({ agg, direction }: Pick<Question, 'agg' | 'direction'>): TripAggregation {
  if (direction === 'orig') return agg === 'average_distance' ? 'average_origin_distance' : 'origins'
  if (direction === 'dest')
    return agg === 'average_distance' ? 'average_destination_distance' : 'destinations'
  return direction
}

/** The question as a SpatialRequest. */
export const tripsRequest = ({ agg, direction, region_id: _region, ...question }: Question): SpatialRequest =>
  SpatialRequest.parse({ ...question, mode: 'trips', aggregation: aggregationOf({ agg, direction }) })

const countsOf = ({ value, n, counts }: ShapeFigures, aggregation: string): ShapeCounts =>
  aggregation === 'intersect'
    ? { orig: null, dest: null, count: n, value, n }
    : { orig: counts['orig'] ?? 0, dest: counts['dest'] ?? 0, count: counts['count'] ?? 0, value, n }

const mapCounts = (shapes: Record<string, ShapeFigures>, aggregation: string): Record<string, ShapeCounts> =>
  Object.fromEntries(Object.entries(shapes).map(([id, figures]) => [id, countsOf(figures, aggregation)]))

/** The answer of POST /trips/spatial: every shape of the layer, and NOT_IN_SHAPE. */
export function tripsAnswer(
  evaluation: Evaluation,
  aggregation: TripAggregation,
  milliseconds: number,
): SpatialAnswer {
  const { shapes, region, span } = figuresByShape(evaluation)
  const shape_data = mapCounts(shapes, aggregation)
  const all = countsOf(region, aggregation)
  const countedSides = aggregation === 'intersect' ? (['count'] as const) : (['orig', 'dest'] as const)
  const sumOfShapes = (side: 'orig' | 'dest' | 'count'): number =>
    Object.values(shape_data).reduce((sum, counts) => sum + (counts[side] ?? 0), 0)
  // With a selected shape, origins are of trips that end in it, and destinations of trips that start in it: the
  // two have different totals.
  const side = aggregation === 'orig_or_dest' ? 'count' : aggregation.includes('dest') ? 'dest' : 'orig'
  return {
    shape_data,
    total: all[side] ?? all.count,
    aggregation,
    unit: evaluation.mode.unitOf(aggregation) as SpatialAnswer['unit'],
    days: span.days,
    overlaps: countedSides.some((counted) => sumOfShapes(counted) > (all[counted] ?? 0)),
    method: methodOf(evaluation),
    milliseconds,
    from: evaluation.from,
  }
}

/** Counts by day and shape; values per day are divided by one day. */
export const tripsByDay = (evaluation: Evaluation): FiguresByDay<ShapeCounts> =>
  Object.fromEntries(
    Object.entries(figuresByDay(evaluation)).map(([day, shapes]) => [
      day,
      mapCounts(shapes, evaluation.request.aggregation),
    ]),
  )

/** Counts as CSV with one line per day and shape, by day, then by name. */
export function csvOfTrips(byDay: FiguresByDay<ShapeCounts>, names: ReadonlyMap<string, string>): string {
  const lines = ['date,shape_uuid,shape_name,origins,destinations,origins_or_destinations,value,n']
  const nameOf = (id: string): string => names.get(id) ?? id
  for (const [day, shapes] of Object.entries(byDay)) {
    const sorted = Object.entries(shapes).sort(([a], [b]) => nameOf(a).localeCompare(nameOf(b)))
    for (const [id, { orig, dest, count, value, n }] of sorted) {
      const name = csvCell(id === notInShape ? notInShape : (names.get(id) ?? ''))
      lines.push([day, id, name, orig ?? '', dest ?? '', count, value ?? '', n].join(','))
    }
  }
  return lines.join('\n') + '\n'
}
