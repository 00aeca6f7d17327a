import type { TripMapping } from '#contract/imports.ts'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { holds, getMetersToEdge } from './plain-geometry.ts'
import { createRandom } from './random.ts'
import { cityBox, districts, lanes, zones } from './shapes.ts'

/** A trip of the fixture with local times, and whether its distance counts in means. */
export interface CityTrip {
  id: string
  operator: string
  vehicleType: 'bicycle' | 'scooter' | 'pedal_bicycle' | 'moped'
  day: string
  hour: number
  start: string
  end: string | null
  from: Position | null
  to: Position | null
  meters: number | null
  seconds: number | null
  measured: boolean
}

/** Buffers in meters. No place is within one percent of their edges, where rounding would decide. */
export const clearBuffers = [10, 50, 250] as const
export const tripPeriod = { start_date: '2026-02-20', end_date: '2026-04-10' } as const
/** The day of all trips that start or end exactly on borders and corners of districts. */
export const borderDay = '2026-01-15'
export const cityOperators = ['alder-bikes', 'birch-scoot', 'cargo-co'] as const
const vehicleTypes = ['bicycle', 'scooter', 'pedal_bicycle', 'moped'] as const

type Odd =
  | 'ends_before_start'
  | 'over_24_hours'
  | 'zero_distance'
  | 'no_distance'
  | 'impossible_distance'
  | 'impossible_speed'
  | 'zero_duration'
  | 'no_end_place'
  | 'no_start_place'
  | 'far_end'
  | 'no_end_time'
/** One trip in so many is unusual in this way. The last two, and missing places, are not outliers. */
const odds: readonly [number, Odd][] = [
  [61, 'ends_before_start'],
  [67, 'over_24_hours'],
  [41, 'zero_distance'],
  [43, 'no_distance'],
  [71, 'impossible_distance'],
  [79, 'impossible_speed'],
  [73, 'zero_duration'],
  [53, 'no_end_place'],
  [59, 'no_start_place'],
  [89, 'far_end'],
  [101, 'no_end_time'],
]
const outliers: readonly (Odd | undefined)[] = [
  'ends_before_start',
  'over_24_hours',
  'zero_distance',
  'no_distance',
  'impossible_distance',
  'impossible_speed',
  'zero_duration',
]

const everyShape: readonly Geometry[] = [...districts, ...zones, ...lanes].map(({ geometry }) => geometry)
const isClear = (point: Position): boolean =>
  everyShape.every((geometry) => {
    const meters = getMetersToEdge(geometry, point)
    return holds(geometry, point)
      ? meters > 0.05
      : meters > 0.05 && clearBuffers.every((buffer) => Math.abs(meters - buffer) > buffer * 0.01)
  })

const padTwo = (number: number): string => String(number).padStart(2, '0')
/** Formats a local time, given in seconds after midnight. */
const formatLocal = (day: number, seconds: number): string => {
  const at = day + Math.floor(seconds / 86_400)
  const rest = ((seconds % 86_400) + 86_400) % 86_400
  return `${dayFromNumber(at)} ${padTwo(Math.floor(rest / 3600))}:${padTwo(Math.floor(rest / 60) % 60)}:${padTwo(rest % 60)}`
}

function makeTrips(count: number): CityTrip[] {
  const number = createRandom(4870)
  const drawBetween = (low: number, high: number): number => low + number() * (high - low)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(number() * list.length)] as T
  const place = (): Position => {
    for (;;) {
      const point: Position = [
        Math.round(drawBetween(cityBox[0], cityBox[2]) * 1e6) / 1e6,
        Math.round(drawBetween(cityBox[1], cityBox[3]) * 1e6) / 1e6,
      ]
      if (isClear(point)) return point
    }
  }
  const [first, last] = [dayNumber(tripPeriod.start_date), dayNumber(tripPeriod.end_date)]
  return Array.from({ length: count }, (_, index): CityTrip => {
    const odd = odds.find(([every], i) => index % every === i)?.[1]
    const day = first + Math.floor(number() * (last - first + 1))
    let second = Math.floor(number() * 86_400)
    // The hour that is skipped on that day is tested separately.
    if (dayFromNumber(day) === '2026-03-08' && second >= 7200 && second < 10_800) second += 3600
    const meters =
      odd === 'zero_distance'
        ? 0
        : odd === 'no_distance'
          ? null
          : odd === 'impossible_distance'
            ? 400_000
            : Math.round(drawBetween(3000, 90_000)) / 10
    const pace = odd === 'impossible_speed' ? 60 : drawBetween(2, 6)
    const lasts = Math.max(1, Math.round((odd === 'impossible_distance' ? 20_000 : (meters ?? 2000)) / pace))
    const end =
      odd === 'no_end_time'
        ? null
        : odd === 'ends_before_start'
          ? second - 300
          : odd === 'over_24_hours'
            ? second + 108_000
            : second + lasts
    return {
      id: `ride-${index}`,
      operator: pick(cityOperators),
      vehicleType: pick(vehicleTypes),
      day: dayFromNumber(day),
      hour: Math.floor(second / 3600),
      start: formatLocal(day, second),
      end: end === null ? null : formatLocal(day, end),
      from: odd === 'no_start_place' ? null : place(),
      to: odd === 'no_end_place' ? null : odd === 'far_end' ? [-72.5, 42.3] : place(),
      meters,
      seconds: odd === 'zero_duration' ? 0 : odd === 'no_end_time' ? null : lasts,
      measured: !outliers.includes(odd),
    }
  })
}

function makeBorderTrips(): CityTrip[] {
  const corners = districts
    .flatMap(({ geometry }) => (geometry.type === 'Polygon' ? geometry.coordinates.flat() : []))
    .filter((_, i) => i % 7 === 0)
  return corners.map((from, index): CityTrip => {
    const [a, b] = [
      corners[(index * 5 + 1) % corners.length] as Position,
      corners[(index * 3 + 2) % corners.length] as Position,
    ]
    // Half of the trips end on a corner, half between two corners.
    const to: Position = index % 2 ? a : [(a[0] + b[0]) / 2, a[1]]
    return {
      id: `border-${index}`,
      operator: 'alder-bikes',
      vehicleType: 'bicycle',
      day: borderDay,
      hour: 12,
      start: `${borderDay} 12:00:00`,
      end: `${borderDay} 12:20:00`,
      from,
      to,
      meters: 2000,
      seconds: 1200,
      measured: true,
    }
  })
}

/** The trips of Alder, which are the same in every run. */
export const cityTrips: readonly CityTrip[] = [...makeTrips(3000), ...makeBorderTrips()]

export const tripColumns = [
  'ride',
  'company',
  'kind',
  'began',
  'finished',
  'from_lng',
  'from_lat',
  'to_lng',
  'to_lat',
  'meters',
  'seconds',
  'birth_year',
  'gender',
] as const
export const tripMapping: TripMapping = {
  columns: {
    trip_id: 'ride',
    operator: 'company',
    vehicle_type: 'kind',
    start_time: 'began',
    end_time: 'finished',
    start_lon: 'from_lng',
    start_lat: 'from_lat',
    end_lon: 'to_lng',
    end_lat: 'to_lat',
    distance: 'meters',
    duration: 'seconds',
  },
  distance_unit: 'm',
  duration_unit: 's',
  date_order: 'ymd',
  operator: null,
  vehicle_type: null,
}

/** Formats trips as a CSV file with an unknown layout and personal data. */
export const formatCsv = (trips: readonly CityTrip[]): Uint8Array =>
  Buffer.from(
    [
      tripColumns.join(','),
      ...trips.map(({ id, operator, vehicleType, start, end, from, to, meters, seconds }) =>
        [
          id,
          operator,
          vehicleType,
          start,
          end,
          from?.[0],
          from?.[1],
          to?.[0],
          to?.[1],
          meters,
          seconds,
          1961,
          'woman',
        ].join(','),
      ),
    ].join('\n') + '\n',
  )
