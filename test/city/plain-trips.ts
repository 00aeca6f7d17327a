// Reference implementation of trips, from the events and reports of each trip.
import { computeQuality } from '#server/fleet/trip-quality.ts'
import { computeTripReportRank } from '#server/fleet/events/record-lines.ts'
import type { TripReport, VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { getEventTurn } from '#server/fleet/events/event-turn.ts'
import { listTimelines } from './plain-fleet.ts'

export interface PlainTrip {
  operator: string
  tripId: string
  device: string
  start: number
  end: number | null
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
  const winners = new Map<string, TripReport>()
  for (const report of reports) {
    const key = `${report.operator} ${report.tripId}`
    const winner = winners.get(key)
    if (!winner || computeTripReportRank(report) > computeTripReportRank(winner)) winners.set(key, report)
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
  for (const key of new Set([...winners.keys(), ...tripEvents.keys()])) {
    const [operator = '', tripId = ''] = key.split(' ')
    const report = winners.get(key)
    const events = tripEvents.get(key) ?? []
    const first = events.find(({ types }) =>
      types.some((type) => ['trip_start', 'trip_enter_jurisdiction'].includes(type)),
    )
    const last = events.findLast(({ types }) =>
      types.some((type) => ['trip_end', 'trip_cancel', 'trip_leave_jurisdiction'].includes(type)),
    )
    if (
      !report &&
      (!first || (last && last.types.includes('trip_cancel') && !last.types.includes('trip_end')))
    )
      continue
    const source = report ?? first
    if (!source) continue
    const start = report ? report.startTime : (first as VehicleEvent).time
    const end = report ? report.endTime : (last?.time ?? NaN)
    const places = report
      ? [report.startLon, report.startLat, report.endLon, report.endLat]
      : [(first as VehicleEvent).lon, (first as VehicleEvent).lat, last?.lon ?? NaN, last?.lat ?? NaN]
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
      source: report ? (first || last ? 'both' : 'report') : 'events',
    })
  }
  return trips
}
