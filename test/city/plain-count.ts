import { aggregations } from '#contract/map-names.ts'
import { notInShape, type TripAggregation } from '#contract/evaluation.ts'
import { dayFromNumber, dayNumber, getWeekday } from '#contract/period.ts'
import type { Position } from '#contract/place.ts'
import { holdsGrown } from './plain-geometry.ts'
import type { CityShape } from './shapes.ts'
import { type CityTrip, cityTrips } from './trips.ts'

/** Aggregations that only use the origin and destination of a trip. */
export type CountedAggregation = Exclude<TripAggregation, 'intersect'>
export const countedAggregations = aggregations.trips.filter(
  (name): name is CountedAggregation => name !== 'intersect',
)

/** A question for the plain count. Shapes are identified by name. */
export interface PlainQuestion {
  start_date: string
  end_date: string
  operators: string[]
  vehicle_type: CityTrip['vehicleType'] | null
  /** Several types; ignored if `vehicle_type` is set. */
  vehicle_types?: CityTrip['vehicleType'][]
  days: number[]
  hour_filters: [number, number]
  buffer: number
  aggregation: CountedAggregation
  /** The name of the selected shape. */
  selected: string | null
}

/** Trips that start in a shape, that end in it, and that do either; the value of the aggregation and its sample size. */
export interface PlainNumbers {
  orig: number
  dest: number
  count: number
  value: number | null
  n: number
}

/** The trips that start in a shape, that end in it, and that do either. */
interface ShapeTrips {
  orig: CityTrip[]
  dest: CityTrip[]
  either: CityTrip[]
}

const shapesByPlace = new Map<string, string[]>()

/** Returns the names of the shapes that contain a place, or the name for no shape. */
function findShapes(
  layer: string,
  shapes: readonly CityShape[],
  point: Position | null,
  buffer: number,
): string[] {
  if (!point) return [notInShape]
  const key = `${layer} ${buffer} ${point.join(' ')}`
  let names = shapesByPlace.get(key)
  if (!names) {
    names = shapes.filter(({ geometry }) => holdsGrown(geometry, point, buffer)).map(({ name }) => name)
    if (!names.length) names = [notInShape]
    shapesByPlace.set(key, names)
  }
  return names
}

/** Returns the hours from the first to the last, across midnight if needed. */
export function plainHours([first, last]: readonly [number, number]): Set<number> {
  const hours = new Set([first])
  for (let hour = first; hour !== last; hours.add(hour)) hour = hour === 23 ? 0 : hour + 1
  return hours
}

/** Whether a trip meets the filters, by local day and hour of its start; last day and hour included. */
function meetsFilters(
  trip: CityTrip,
  { start_date, end_date, operators, vehicle_type, vehicle_types = [], days, hour_filters }: PlainQuestion,
): boolean {
  const [first, last] = [start_date, end_date].toSorted() as [string, string]
  return (
    trip.day >= first &&
    trip.day <= last &&
    (!operators.length || operators.includes(trip.operator)) &&
    (vehicle_type === null
      ? vehicle_types.length === 0 || vehicle_types.includes(trip.vehicleType)
      : trip.vehicleType === vehicle_type) &&
    (!days.length || days.includes(getWeekday(trip.day))) &&
    plainHours(hour_filters).has(trip.hour)
  )
}

/** Counts the days of the period that meet the weekday filter. */
export function plainDays({ start_date, end_date, days }: PlainQuestion): number {
  const [first, last] = [start_date, end_date].toSorted() as [string, string]
  let count = 0
  for (let number = dayNumber(first); number <= dayNumber(last); number++)
    if (!days.length || days.includes(getWeekday(dayFromNumber(number)))) count++
  return count
}

function getNumbers(
  { orig, dest, either }: ShapeTrips,
  aggregation: CountedAggregation,
  days: number,
): PlainNumbers {
  const computeMean = (trips: CityTrip[]): Pick<PlainNumbers, 'value' | 'n'> => {
    const meters = trips.flatMap((trip) => (trip.measured && trip.meters !== null ? [trip.meters] : []))
    return {
      value: meters.length ? meters.reduce((sum, value) => sum + value, 0) / meters.length : null,
      n: meters.length,
    }
  }
  const plain = (n: number, by = 1): Pick<PlainNumbers, 'value' | 'n'> => ({ value: by ? n / by : null, n })
  const figures: Record<CountedAggregation, () => Pick<PlainNumbers, 'value' | 'n'>> = {
    origins: () => plain(orig.length),
    destinations: () => plain(dest.length),
    daily_origins: () => plain(orig.length, days),
    daily_destinations: () => plain(dest.length, days),
    orig_or_dest: () => plain(either.length),
    average_origin_distance: () => computeMean(orig),
    average_destination_distance: () => computeMean(dest),
  }
  return { orig: orig.length, dest: dest.length, count: either.length, ...figures[aggregation]() }
}

/** Returns the figures of every shape, counted trip by trip. They must equal those of any query plan. */
export function plainCount(
  layer: string,
  shapes: readonly CityShape[],
  question: PlainQuestion,
  trips: readonly CityTrip[] = cityTrips,
): { byShape: Record<string, PlainNumbers>; total: number; days: number } {
  const makeEmpty = (): ShapeTrips => ({ orig: [], dest: [], either: [] })
  const sums = new Map<string, ShapeTrips>(
    [...shapes.map(({ name }) => name), notInShape].map((name) => [name, makeEmpty()]),
  )
  const totals = makeEmpty()
  for (const trip of trips) {
    if (!meetsFilters(trip, question)) continue
    const from = findShapes(layer, shapes, trip.from, question.buffer)
    const to = findShapes(layer, shapes, trip.to, question.buffer)
    // If a shape is selected, only trips with the other end in it count.
    const countsAsOrigin = question.selected === null || to.includes(question.selected)
    const countsAsDestination = question.selected === null || from.includes(question.selected)
    for (const [name, trips] of [...sums, ['', totals] as const]) {
      const starts = countsAsOrigin && (name === '' || from.includes(name))
      const ends = countsAsDestination && (name === '' || to.includes(name))
      if (starts) trips.orig.push(trip)
      if (ends) trips.dest.push(trip)
      if (starts || ends) trips.either.push(trip)
    }
  }
  const days = plainDays(question)
  const { aggregation } = question
  const total =
    aggregation === 'orig_or_dest' ? totals.either : aggregation.includes('dest') ? totals.dest : totals.orig
  return {
    byShape: Object.fromEntries([...sums].map(([name, sum]) => [name, getNumbers(sum, aggregation, days)])),
    total: total.length,
    days,
  }
}
