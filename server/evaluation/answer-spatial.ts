import type { z } from 'zod'
import { notInShape, type ShapeCounts, type SpatialAnswer as SpatialAnswerShape, type TripAggregation } from '#contract/evaluation.ts'
import { dayNumber, dayOfNumber, weekdayOf } from '#contract/period.ts'
import type { Found, Question } from './ask-trips-by-shape.ts'
import { allTrips } from './queries/trips-by-shape.ts'
import { emptyRow, keyOf, shapeCounts } from './shape-counts.ts'

/** The aggregation of a question: `direction` names one, or orig/dest with `agg` do (2-map-and-data, section 7). */
export function aggregationOf({ agg, direction }: Pick<Question, 'agg' | 'direction'>): TripAggregation {
  if (direction === 'orig') return agg === 'average_distance' ? 'average_origin_distance' : 'origins'
  if (direction === 'dest') return agg === 'average_distance' ? 'average_destination_distance' : 'destinations'
  return direction
}

/** Days of the period that pass the weekday filter. */
export function daysOf({ start_date, end_date, days }: Pick<Question, 'start_date' | 'end_date' | 'days'>): number {
  const [from, to] = [dayNumber(start_date), dayNumber(end_date)].sort((a, b) => a - b) as [number, number]
  if (!days.length) return to - from + 1
  let count = 0
  for (let day = from; day <= to; day++) if (days.includes(weekdayOf(dayOfNumber(day)))) count++
  return count
}

const unitOf = (aggregation: TripAggregation): SpatialAnswer['unit'] => (aggregation.startsWith('daily') ? 'trips_per_day' : aggregation.startsWith('average') ? 'metres' : 'trips')

/** Version of the way these numbers are made (metrics.md, Evaluation aggregations). */
const methodVersion = 1

type SpatialAnswer = z.infer<typeof SpatialAnswerShape>

/** The answer of POST /trips/spatial: every shape of the layer, and NOT_IN_SHAPE. */
export function answerSpatial(question: Question, found: Found, milliseconds: number): SpatialAnswer {
  const aggregation = aggregationOf(question)
  const days = daysOf(question)
  const shape_data: Record<string, ShapeCounts> = { [notInShape]: shapeCounts(emptyRow, aggregation, days) }
  for (const id of found.shapeIds) shape_data[id] = shapeCounts(emptyRow, aggregation, days)
  const all = found.rows.find(({ shape }) => shape === allTrips) ?? emptyRow
  for (const row of found.rows) if (row !== all) shape_data[keyOf(row, found.shapeIds)] = shapeCounts(row, aggregation, days)
  const sum = (side: 'orig' | 'dest'): number => Object.values(shape_data).reduce((all, each) => all + each[side], 0)
  // With a selected shape, origins are of trips that end in it, destinations of trips that start in it: two totals.
  const total = Number(aggregation.includes('dest') && aggregation !== 'orig_or_dest' ? all.dest : aggregation === 'orig_or_dest' ? all.either : all.orig)
  return {
    shape_data,
    total,
    aggregation,
    unit: unitOf(aggregation),
    days,
    overlaps: sum('orig') > Number(all.orig) || sum('dest') > Number(all.dest),
    method: { name: aggregation, version: methodVersion, buffer: question.buffer },
    milliseconds: Math.round(milliseconds * 10) / 10,
    from: found.from,
  }
}
