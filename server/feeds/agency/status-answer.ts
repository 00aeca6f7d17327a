import { madeUuid } from '#server/stores/made-uuid.ts'
import type { Pusher } from './find-pusher.ts'
import type { LastEvent } from './queries/last-events.ts'
import type { LastPoint } from './queries/last-points.ts'

type Fields = Record<string, unknown>

/** Fields with a value. */
const known = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''))
const gps = ({
  lat,
  lon,
  ...more
}: {
  lat: number | null
  lon: number | null
  accuracy: number | null
  speed?: number | null
  heading?: number | null
}): Fields =>
  known({
    lat,
    lng: lon,
    horizontal_accuracy: more.accuracy,
    speed: more.speed ?? null,
    heading: more.heading ?? null,
  })
const percent = (battery: number | null): Fields =>
  battery === null ? {} : { battery_percent: Math.round(battery) }

/** A vehicle's status in MDS 2.0. Before its first telemetry, its last event gives its position. */
export function statusAnswer(
  event: LastEvent,
  point: LastPoint | undefined,
  { providerId, operator }: Pusher,
): Fields {
  const named = { device_id: event.deviceId, ...known({ provider_id: providerId }) }
  const trips = event.tripIds.length ? event.tripIds : null
  const last_event = {
    ...named,
    event_id: event.eventId,
    vehicle_state: event.state,
    event_types: event.types,
    timestamp: event.time,
    location: gps(event),
    ...percent(event.battery),
    ...(trips ? { trip_ids: trips } : {}),
  }
  const last_telemetry = point
    ? {
        ...named,
        telemetry_id: point.telemetryId,
        timestamp: point.time,
        trip_ids: point.tripId ? [point.tripId] : null,
        journey_id: null,
        location: gps(point),
        ...percent(point.battery),
      }
    : {
        ...named,
        telemetry_id: madeUuid(operator, event.eventId, 'telemetry'),
        timestamp: event.time,
        trip_ids: trips,
        journey_id: null,
        location: gps(event),
        ...percent(event.battery),
      }
  return { ...named, last_event, last_telemetry }
}
