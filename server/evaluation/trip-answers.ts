import type { z } from 'zod'
import {
  notInShape,
  type ShapeCounts,
  type SpatialAnswer as SpatialAnswerShape,
  type SpatialQuestion,
  type TripAggregation,
} from '#contract/evaluation.ts'
import { type ShapeFigures, SpatialRequest } from '#contract/spatial.ts'
import { csvCell } from './csv-cell.ts'
import { figuresByDay } from './figures-by-day.ts'
import { groupRows } from './group-rows.ts'
import { methodOf, type MapRows } from './spatial-maps.ts'
import { allShapes } from '#server/mobility/cubes/cube-columns.ts'

type Question = z.output<typeof SpatialQuestion>
type SpatialAnswer = z.infer<typeof SpatialAnswerShape>

/** The aggregation of a question: `direction` names one, or orig/dest with `agg` do (2-map-and-data, section 7). */
export function aggregationOf({ agg, direction }: Pick<Question, 'agg' | 'direction'>): TripAggregation {
  if (direction === 'orig') return agg === 'average_distance' ? 'average_origin_distance' : 'origins'
  if (direction === 'dest')
    return agg === 'average_distance' ? 'average_destination_distance' : 'destinations'
  return direction
}

/** The map's question in its newer form. */
export const askOfTrips = ({ agg, direction, region_id: _region, ...ask }: Question): SpatialRequest =>
  SpatialRequest.parse({ ...ask, mode: 'trips', aggregation: aggregationOf({ agg, direction }) })

const countsOf = ({ value, n, counts }: ShapeFigures, aggregation: string): ShapeCounts =>
  aggregation === 'intersect'
    ? { orig: null, dest: null, count: n, value, n }
    : { orig: counts['orig'] ?? 0, dest: counts['dest'] ?? 0, count: counts['count'] ?? 0, value, n }

/** The answer of POST /trips/spatial: every shape of the layer, and NOT_IN_SHAPE. */
export function answerTrips(
  found: MapRows,
  aggregation: TripAggregation,
  milliseconds: number,
): SpatialAnswer {
  const { mode, shapeIds, spans } = found
  const rowsOf = groupRows(found.rows)
  const span = spans.get('') ?? { days: 0, ms: 0 }
  const whole = rowsOf('', allShapes)
  const counts = (shape: number): ShapeCounts =>
    countsOf(mode.figures(aggregation, { rows: rowsOf('', shape), whole, span }), aggregation)
  const shape_data: Record<string, ShapeCounts> = { [notInShape]: counts(0) }
  for (const [at, id] of shapeIds.entries()) shape_data[id] = counts(at + 1)
  const all = counts(allShapes)
  const counted = (['orig', 'dest', 'count'] as const).filter(
    (side) => (aggregation === 'intersect') === (side === 'count'),
  )
  const sum = (side: 'orig' | 'dest' | 'count'): number =>
    Object.values(shape_data).reduce((sums, each) => sums + (each[side] ?? 0), 0)
  return {
    shape_data,
    // With a selected shape, origins are of trips that end in it, destinations of trips that start in it: two totals.
    total:
      (aggregation === 'orig_or_dest' ? null : aggregation.includes('dest') ? all.dest : all.orig) ??
      all.count,
    aggregation,
    unit: mode.unitOf(aggregation) as SpatialAnswer['unit'],
    days: span.days,
    overlaps: counted.some((side) => sum(side) > (all[side] ?? 0)),
    method: methodOf(found),
    milliseconds: Math.round(milliseconds * 10) / 10,
    // Trips are not in the cubes by both of their ends.
    from: found.from === 'kept' ? 'kept' : 'facts',
  }
}

/** Day -> shape -> numbers; a day's own number of days is one. */
export const tripsByDay = (found: MapRows): Record<string, Record<string, ShapeCounts>> =>
  Object.fromEntries(
    Object.entries(figuresByDay(found)).map(([day, shapes]) => [
      day,
      Object.fromEntries(
        Object.entries(shapes).map(([id, figures]) => [id, countsOf(figures, found.ask.aggregation)]),
      ),
    ]),
  )

/** The same as CSV: one line a day and shape, by day, then by name. */
export function csvOfTrips(
  byDay: Record<string, Record<string, ShapeCounts>>,
  names: ReadonlyMap<string, string>,
): string {
  const lines = ['date,shape_uuid,shape_name,origins,destinations,origins_or_destinations,value,n']
  for (const [day, shapes] of Object.entries(byDay))
    for (const [id, { orig, dest, count, value, n }] of Object.entries(shapes).sort(([a], [b]) =>
      (names.get(a) ?? a).localeCompare(names.get(b) ?? b),
    ))
      lines.push(
        [
          day,
          id,
          csvCell(id === notInShape ? notInShape : (names.get(id) ?? '')),
          orig ?? '',
          dest ?? '',
          count,
          value ?? '',
          n,
        ].join(','),
      )
  return lines.join('\n') + '\n'
}
