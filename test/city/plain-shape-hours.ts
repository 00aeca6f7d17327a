// Reference implementation of hourly cubes: sums each fact in each shape and each hour that it overlaps.
import { hourMs } from '#contract/period.ts'
import type { Position } from '#contract/place.ts'
import { toQualityBits, outlierFlags } from '#contract/mobility.ts'
import { contains } from './contains.ts'
import type { TripReport, VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { plainIntervals, plainParking, listTimelines } from './plain-fleet.ts'
import { plainTrips } from './plain-trips.ts'

export interface PlainShape {
  key: string
  rings: Position[][]
}

/** A part of a layer that has sums: a shape, or all places outside of them. Coordinates of unknown places are NaN. */
export interface PlainPart {
  key: string
  holds: (lon: number, lat: number) => boolean
}

export const makePart = ({ key, rings }: PlainShape): PlainPart => ({
  key,
  holds: (lon, lat) => contains(rings, [lon, lat]),
})
/** Facts of a region, and what their sums depend on. */
export interface PlainCity {
  events: readonly VehicleEvent[]
  reports: readonly TripReport[]
  /** Types by operator and device. The type of other vehicles is `other`. */
  types: ReadonlyMap<string, string>
  parts: readonly PlainPart[]
  lostAfterHours: number
  place: { timezone: string; lon: number; lat: number }
  /** Milliseconds by which hours begin earlier than those of UTC. */
  shift: number
  /** The start of the current hour, in milliseconds. */
  until: number
}

const standing = ['available', 'reserved', 'non_operational', 'non_contactable']

interface PlacedVehicle {
  operator: string
  device: string
  lon: number | null
  lat: number | null
}

/** Returns the sums by `key hour operator type sum`, without zeros. */
export function plainShapeHours({
  events,
  reports,
  types,
  parts,
  lostAfterHours,
  place,
  shift,
  until,
}: PlainCity): Map<string, number> {
  const sums = new Map<string, number>()
  const getType = (operator: string, device: string): string => types.get(`${operator} ${device}`) ?? 'other'
  const add = (
    name: string,
    { operator, device, lon, lat }: PlacedVehicle,
    from: number,
    to = from + 1,
  ): void => {
    const keys = new Set(parts.filter(({ holds }) => holds(lon ?? NaN, lat ?? NaN)).map(({ key }) => key))
    if (!keys.size) return
    for (
      let at = Math.floor((from + shift) / hourMs) * hourMs - shift;
      at < Math.min(to, until);
      at += hourMs
    ) {
      const amount = Math.min(to, at + hourMs) - Math.max(from, at)
      for (const key of keys) {
        const id = `${key} ${at} ${operator} ${getType(operator, device)} ${name}`
        sums.set(id, (sums.get(id) ?? 0) + amount)
      }
    }
  }
  const eventById = new Map(
    listTimelines(events)
      .flat()
      .map((event) => [`${event.deviceId} ${event.eventId} ${event.time}`, event]),
  )
  for (const timeline of listTimelines(events)) {
    for (const row of plainIntervals(timeline)) {
      const event = eventById.get(`${row.device} ${row.event} ${row.from}`) as VehicleEvent
      if (standing.includes(row.state ?? ''))
        add(
          `${row.state}_ms`,
          { ...event, device: row.device },
          row.from,
          Math.min(row.to, row.from + lostAfterHours * hourMs),
        )
    }
    for (const row of plainParking(timeline, lostAfterHours)) {
      const event = eventById.get(`${row.device} ${row.event} ${row.from}`) as VehicleEvent
      const vehicle = { ...event, device: row.device }
      add('parking_begins', vehicle, row.from)
      add('parked_ms', vehicle, row.from, row.to)
    }
    for (const event of timeline)
      if (event.types.some((type) => type === 'provider_drop_off' || type === 'agency_drop_off'))
        add('drop_offs', { ...event, device: event.deviceId }, event.time)
  }
  for (const trip of plainTrips(events, reports, place)) {
    const [startLon = null, startLat = null, endLon = null, endLat = null] = trip.places
    const millimeters =
      trip.distance !== null && trip.distance >= 0 && (trip.quality & toQualityBits(outlierFlags)) === 0
        ? Math.floor(trip.distance * 1000 + 0.5)
        : null
    for (const { key, holds } of parts) {
      if (trip.start >= until) continue
      const hourStart = Math.floor((trip.start + shift) / hourMs) * hourMs - shift
      const count = (name: string, amount: number): void => {
        const id = `${key} ${hourStart} ${trip.operator} ${getType(trip.operator, trip.device)} ${name}`
        if (amount) sums.set(id, (sums.get(id) ?? 0) + amount)
      }
      const ends = [
        ['orig', holds(startLon ?? NaN, startLat ?? NaN)],
        ['dest', holds(endLon ?? NaN, endLat ?? NaN)],
      ] as const
      if (ends.some(([, isInside]) => isInside)) count('either', 1)
      for (const [side, isInside] of ends) {
        if (!isInside) continue
        count(side, 1)
        if (millimeters === null) continue
        count(`${side}_measured`, 1)
        count(`${side}_mm`, millimeters)
      }
    }
  }
  return sums
}
