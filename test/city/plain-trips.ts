// Reference implementation of trips, from the events and reports of each trip.
import { computeQuality } from '#server/fleet/trip-quality.ts'
import { computeTripReportRank } from '#server/fleet/events/record-lines.ts'
import type { TripReport, VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { getEventTurn } from '#server/fleet/events/event-turn.ts'
import { listTimelines } from './plain-fleet.ts'

/** A stored trip. Times are milliseconds, the distance is in meters, the duration in seconds; null if unknown. */
export interface PlainTrip {
  operator: string
  tripId: string
  device: string
  start: number
  end: number | null
  /** Longitude and latitude of the start, then of the end. */
  places: (number | null)[]
  distance: number | null
  duration: number | null
  day: string
  hour: number
  quality: number
  source: string
}

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

function getLocalHour(time: number, zone: string): { day: string; hour: number } {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      hourCycle: 'h23',
    })
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  )
  return { day: `${parts['year']}-${parts['month']}-${parts['day']}`, hour: Number(parts['hour']) }
}

/** Returns trips: as reported, otherwise from their first start to their last end by events, unless canceled. */
export function plainTrips(
  events: readonly VehicleEvent[],
  reports: readonly TripReport[],
  place: { timezone: string; lon: number; lat: number },
): PlainTrip[] {
  const highestRanked = new Map<string, TripReport>()
  for (const report of reports) {
    const key = `${report.operator} ${report.tripId}`
    const current = highestRanked.get(key)
    if (!current || computeTripReportRank(report) > computeTripReportRank(current))
      highestRanked.set(key, report)
  }
  const tripEvents = new Map<string, VehicleEvent[]>()
  const eventsByTime = listTimelines(events)
    .flat()
    .toSorted(
      (a, b) =>
        a.time - b.time ||
        getEventTurn(a.types) - getEventTurn(b.types) ||
        (`${a.eventId} ${a.deviceId}` < `${b.eventId} ${b.deviceId}` ? -1 : 1),
    )
  for (const event of eventsByTime)
    for (const tripId of new Set(event.tripIds))
      tripEvents.set(`${event.operator} ${tripId}`, [
        ...(tripEvents.get(`${event.operator} ${tripId}`) ?? []),
        event,
      ])
  const trips: PlainTrip[] = []
  for (const key of new Set([...highestRanked.keys(), ...tripEvents.keys()])) {
    const [operator = '', tripId = ''] = key.split(' ')
    const report = highestRanked.get(key)
    const events = tripEvents.get(key) ?? []
    const startEvent = events.find(({ types }) =>
      types.some((type) => ['trip_start', 'trip_enter_jurisdiction'].includes(type)),
    )
    const endEvent = events.findLast(({ types }) =>
      types.some((type) => ['trip_end', 'trip_cancel', 'trip_leave_jurisdiction'].includes(type)),
    )
    if (
      !report &&
      (!startEvent || (endEvent?.types.includes('trip_cancel') && !endEvent.types.includes('trip_end')))
    )
      continue
    const source = report ?? startEvent
    if (!source) continue
    const start = report ? report.startTime : (startEvent as VehicleEvent).time
    const end = report ? report.endTime : (endEvent?.time ?? NaN)
    const places = report
      ? [report.startLon, report.startLat, report.endLon, report.endLat]
      : [startEvent?.lon ?? NaN, startEvent?.lat ?? NaN, endEvent?.lon ?? NaN, endEvent?.lat ?? NaN]
    const distance = report ? report.distance : NaN
    const duration = report && !Number.isNaN(report.duration) ? report.duration : (end - start) / 1000
    const [startLon = NaN, startLat = NaN, endLon = NaN, endLat = NaN] = places
    const quality = computeQuality(
      {
        startMs: start,
        endMs: end,
        startLon,
        startLat,
        endLon,
        endLat,
        distanceM: distance,
        durationS: duration,
      },
      place,
      false,
    )
    trips.push({
      operator,
      tripId,
      device: source.deviceId,
      start,
      end: orNull(end),
      places: places.map(orNull),
      distance: orNull(distance),
      duration: orNull(duration),
      ...getLocalHour(start, place.timezone),
      quality,
      source: report ? (startEvent || endEvent ? 'both' : 'report') : 'events',
    })
  }
  return trips
}
