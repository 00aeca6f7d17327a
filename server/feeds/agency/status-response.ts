import { deriveUuid } from '#server/stores/derive-uuid.ts'
import type { Pusher } from './find-pusher.ts'
import type { LastEvent } from './queries/last-events.ts'
import type { LastPoint } from './queries/last-points.ts'
import { withoutEmpty } from './vehicle-response.ts'

type Fields = Record<string, unknown>

/** Returns a GPS object of MDS 2.0 without unknown values. */
const toGps = ({
  lat,
  lon,
  ...optional
}: {
  lat: number | null
  lon: number | null
  accuracy: number | null
  speed?: number | null
  heading?: number | null
}): Fields =>
  withoutEmpty({
    lat,
    lng: lon,
    horizontal_accuracy: optional.accuracy,
    speed: optional.speed ?? null,
    heading: optional.heading ?? null,
  })
const toBatteryPercent = (battery: number | null): Fields =>
  battery === null ? {} : { battery_percent: Math.round(battery) }

/** Returns a vehicle status in MDS 2.0. If there is no telemetry, it is derived from the last event. */
export function toStatusResponse(
  event: LastEvent,
  point: LastPoint | undefined,
  { providerId, operator }: Pusher,
): Fields {
  const identity = { device_id: event.deviceId, ...withoutEmpty({ provider_id: providerId }) }
  const trips = event.tripIds.length ? event.tripIds : null
  const last_event = {
    ...identity,
    event_id: event.eventId,
    vehicle_state: event.state,
    event_types: event.types,
    timestamp: event.time,
    location: toGps(event),
    ...toBatteryPercent(event.battery),
    ...(trips ? { trip_ids: trips } : {}),
  }
  const last_telemetry = point
    ? {
        ...identity,
        telemetry_id: point.telemetryId,
        timestamp: point.time,
        trip_ids: point.tripId ? [point.tripId] : null,
        journey_id: null,
        location: toGps(point),
        ...toBatteryPercent(point.battery),
      }
    : {
        ...identity,
        telemetry_id: deriveUuid(operator, event.eventId, 'telemetry'),
        timestamp: event.time,
        trip_ids: trips,
        journey_id: null,
        location: toGps(event),
        ...toBatteryPercent(event.battery),
      }
  return { ...identity, last_event, last_telemetry }
}
