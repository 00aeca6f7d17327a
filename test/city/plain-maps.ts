// Reference implementation of all maps by shape: counts each fact in each shape and halfHourMs hour.
import { toQualityBits, outlierFlags } from '#contract/mobility.ts'
import { dayFromNumber, dayNumber, getWeekday, hourMs } from '#contract/period.ts'
import type { SpatialRequest, TimeBucket } from '#contract/spatial.ts'
import { contains } from './contains.ts'
import type { NumberedShape } from '#server/geography/membership/edge.ts'
import type { TripRow } from '#server/imports/trips/trip-row.ts'
import { plainHours } from './plain-count.ts'

interface Placed {
  operator: string
  type: string
  lon: number
  lat: number
}
/** A parking event. Times are milliseconds. */
export interface PlainParking extends Placed {
  vehicle?: string
  from: number
  to: number
}
/** The time in which a vehicle was in a state. */
export interface PlainInterval extends PlainParking {
  state: string
}
export interface PlainDropOff extends Placed {
  at: number
}
export interface PlainFacts {
  trips: readonly TripRow[]
  parkingEvents: readonly PlainParking[]
  intervals: readonly PlainInterval[]
  dropOffs: readonly PlainDropOff[]
}
export interface PlainSelection {
  request: SpatialRequest
  bucket: TimeBucket | null
  /** Index of the selected shape. */
  selected: number | null
  timezone: string
  lostAfterHours: number
  now: number
  /** Whether a shape contains a point, if this is more than the interior of its rings. */
  holds?: (shape: number, lon: number, lat: number) => boolean
}
export interface PlainFigures {
  value: number | null
  n: number
}

const halfHourMs = hourMs / 2
const standing = ['available', 'reserved', 'non_operational', 'non_contactable']

interface LocalTime {
  day: string
  hour: number
}
const localTimes = new Map<string, LocalTime>()
/** Returns the local day and hour of a moment. Each halfHourMs hour is in one local hour. */
export function getLocalTime(ms: number, timeZone: string): LocalTime {
  const key = `${timeZone} ${Math.floor(ms / halfHourMs)}`
  let localTime = localTimes.get(key)
  if (!localTime) {
    const parts = Object.fromEntries(
      new Intl.DateTimeFormat('en-CA', {
        timeZone,
        hourCycle: 'h23',
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
      })
        .formatToParts(ms)
        .map(({ type, value }) => [type, value]),
    )
    localTimes.set(
      key,
      (localTime = {
        day: `${parts['year']}-${parts['month']}-${parts['day']}`,
        hour: Number(parts['hour']),
      }),
    )
  }
  return localTime
}

/** Returns the figures by bucket ('' if none) and shape: 0 for outside of all shapes, `all` for the total. */
export function plainMaps(
  shapes: readonly NumberedShape[],
  facts: PlainFacts,
  { request, bucket, selected, timezone, lostAfterHours, now, holds }: PlainSelection,
): Map<string, PlainFigures> {
  const getShapesAt = (lon: number, lat: number): number[] => {
    const numbers = Number.isNaN(lon + lat)
      ? []
      : shapes
          .filter(({ number, rings }) => (holds ? holds(number, lon, lat) : contains(rings, [lon, lat])))
          .map(({ number }) => number)
    return numbers.length ? numbers : [0]
  }
  const [first, last] = [request.start_date, request.end_date].toSorted() as [string, string]
  const hours = plainHours(request.hour_filters)
  const isSelected = (local: LocalTime): boolean =>
    local.day >= first &&
    local.day <= last &&
    (!request.days.length || request.days.includes(getWeekday(local.day))) &&
    hours.has(local.hour)
  const getBucket = (local: LocalTime): string =>
    bucket === 'day' ? local.day : bucket === 'hour_of_day' ? String(local.hour) : ''
  const isOurs = ({ operator, type }: { operator: string; type: string }): boolean =>
    (!request.operators.length || request.operators.includes(operator)) &&
    (!request.vehicle_type || type === request.vehicle_type)
  const sums = new Map<string, Record<string, number>>()
  const add = (at: string, places: readonly number[], name: string, amount: number): void => {
    for (const shape of [...places, 'all']) {
      const key = `${at} ${shape}`
      const sum = sums.get(key) ?? {}
      sums.set(key, sum)
      sum[name] = (sum[name] ?? 0) + amount
    }
  }
  /** Returns the shapes in which a fact counts (0 outside of all); null if it is not in the selected shape. */
  const findShapes = ({ lon, lat }: Placed): number[] | null => {
    const places = getShapesAt(lon, lat)
    return selected === null || places.includes(selected) ? places : null
  }
  /** Adds the milliseconds in each bucket. */
  const addTime = (placed: Placed, from: number, to: number, name: string): void => {
    const places = findShapes(placed)
    if (!places) return
    for (let at = Math.floor(from / halfHourMs) * halfHourMs; at < to; at += halfHourMs) {
      const local = getLocalTime(at, timezone)
      if (isSelected(local))
        add(getBucket(local), places, name, Math.min(to, at + halfHourMs) - Math.max(from, at))
    }
  }
  const addEvent = (placed: Placed, at: number, name: string, amount = 1): void => {
    const [local, places] = [getLocalTime(at, timezone), findShapes(placed)]
    if (places && isSelected(local)) add(getBucket(local), places, name, amount)
  }
  if (request.mode === 'parking')
    for (const parking of facts.parkingEvents.filter(isOurs)) {
      const to = Math.min(parking.to, now)
      if (request.parked_duration && to - parking.from < request.parked_duration * 60_000) continue
      addEvent(parking, parking.from, 'events')
      addEvent(parking, parking.from, 'length', Math.max(0, to - parking.from))
      addTime(parking, parking.from, to, 'parked')
    }
  if (request.mode === 'distribution')
    for (const interval of facts.intervals.filter(isOurs))
      if (standing.includes(interval.state))
        addTime(
          interval,
          interval.from,
          Math.min(interval.to, interval.from + lostAfterHours * hourMs, now),
          interval.state,
        )
  if (request.mode === 'drop_offs')
    for (const event of facts.dropOffs.filter(isOurs)) addEvent(event, event.at, 'events')
  if (request.mode === 'trips')
    for (const trip of facts.trips) {
      const local = { day: dayFromNumber(trip.day), hour: trip.hour }
      if (!isSelected(local) || !isOurs({ operator: trip.operator, type: trip.vehicleType })) continue
      const [origins, destinations] = [
        getShapesAt(trip.startLon, trip.startLat),
        getShapesAt(trip.endLon, trip.endLat),
      ]
      // If a shape is selected, only trips with the other end in it count.
      const countsAsOrigin = selected === null || destinations.includes(selected)
      const countsAsDestination = selected === null || origins.includes(selected)
      const isMeasured = Number.isFinite(trip.distanceM) && !(trip.quality & toQualityBits(outlierFlags))
      for (const [isIn, places, side] of [
        [countsAsOrigin, origins, 'origins'],
        [countsAsDestination, destinations, 'destinations'],
      ] as const) {
        if (!isIn) continue
        add(getBucket(local), places, side, 1)
        if (isMeasured) add(getBucket(local), places, `${side}_measured`, 1)
        if (isMeasured) add(getBucket(local), places, `${side}_meters`, trip.distanceM)
      }
      const either = new Set([
        ...(countsAsOrigin ? origins : []),
        ...(countsAsDestination ? destinations : []),
      ])
      if (either.size) add(getBucket(local), [...either], 'either', 1)
    }

  const days = new Set<string>()
  const msByBucket = new Map<string, number>()
  for (let day = dayNumber(first); day <= dayNumber(last); day++)
    if (!request.days.length || request.days.includes(getWeekday(dayFromNumber(day))))
      days.add(dayFromNumber(day))
  for (
    let at = Date.parse(first) - 30 * hourMs;
    at < Math.min(now, Date.parse(last) + 60 * hourMs);
    at += halfHourMs
  ) {
    const local = getLocalTime(at, timezone)
    if (isSelected(local))
      msByBucket.set(
        getBucket(local),
        (msByBucket.get(getBucket(local)) ?? 0) + Math.min(halfHourMs, now - at),
      )
  }
  const buckets = bucket === 'day' ? [...days] : bucket === 'hour_of_day' ? [...hours].map(String) : ['']
  const figures = new Map<string, PlainFigures>()
  for (const name of buckets)
    for (const shape of [0, ...shapes.map(({ number }) => number), 'all'])
      figures.set(
        `${name} ${shape}`,
        computeFigures(request.aggregation, {
          sum: sums.get(`${name} ${shape}`) ?? {},
          whole: sums.get(`${name} all`) ?? {},
          days: bucket === 'day' ? 1 : days.size,
          ms: msByBucket.get(name) ?? 0,
        }),
      )
  return figures
}

interface MeasuredSums {
  sum: Record<string, number>
  whole: Record<string, number>
  days: number
  ms: number
}

function computeFigures(
  aggregation: SpatialRequest['aggregation'],
  { sum, whole, days, ms }: MeasuredSums,
): PlainFigures {
  const getSum = (name: string, from = sum): number => from[name] ?? 0
  const sumStanding = (from = sum): number => standing.reduce((all, name) => all + getSum(name, from), 0)
  const divide = (value: number, divisor: number): number | null => (divisor > 0 ? value / divisor : null)
  switch (aggregation) {
    case 'origins':
    case 'destinations':
      return { value: getSum(aggregation), n: getSum(aggregation) }
    case 'daily_origins':
      return { value: divide(getSum('origins'), days), n: getSum('origins') }
    case 'daily_destinations':
      return { value: divide(getSum('destinations'), days), n: getSum('destinations') }
    case 'orig_or_dest':
      return { value: getSum('either'), n: getSum('either') }
    case 'average_origin_distance':
      return {
        value: divide(getSum('origins_meters'), getSum('origins_measured')),
        n: getSum('origins_measured'),
      }
    case 'average_destination_distance':
      return {
        value: divide(getSum('destinations_meters'), getSum('destinations_measured')),
        n: getSum('destinations_measured'),
      }
    case 'total_parking_events':
    case 'total_drop_offs':
      return { value: getSum('events'), n: getSum('events') }
    case 'daily_parking_events':
    case 'daily_drop_offs':
      return { value: divide(getSum('events'), days), n: getSum('events') }
    case 'total_parked_duration':
      return { value: getSum('parked') / 60_000, n: getSum('events') }
    case 'average_parked_duration':
      return { value: divide(getSum('length') / 60_000, getSum('events')), n: getSum('events') }
    case 'average_vehicles':
      return { value: divide(sumStanding(), ms), n: sumStanding() / hourMs }
    case 'average_available':
      return { value: divide(getSum('available'), ms), n: getSum('available') / hourMs }
    case 'average_non_operational':
      return { value: divide(getSum('non_operational'), ms), n: getSum('non_operational') / hourMs }
    case 'share_of_fleet':
      return { value: divide(100 * sumStanding(), sumStanding(whole)), n: sumStanding() / hourMs }
    case 'intersect':
      throw new Error('Counted by plainTripsThrough')
  }
}
