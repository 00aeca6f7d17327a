// Reference implementation of the figures of data health, by vehicle and trip.
import { dayMs, hourMs } from '#contract/period.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import { vehicleStateNames, vehicleStates } from '#contract/vehicle-states.ts'
import { isLegalTransition, type StateMachine } from '#server/fleet/events/state-machine.ts'
import type { TelemetryPoint, VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { listTimelines } from './plain-fleet.ts'

/** Transitions are checked between events at most this far apart. */
const maxTransitionGapMs = 2 * dayMs
/** Moves are counted between positions at most this far apart. */
const maxMoveGapMs = dayMs
/** A move is a jump if it is farther than 500 m and faster than 100 km/h. */
const [minJumpMeters, minJumpMetersPerSecond] = [500, 100_000 / 3600]
/** Vehicles without an event or position for this long are ignored. */
const recentMs = 14 * dayMs
/** A trip report differs from the events if its times or places differ by more than this. */
const [maxTimeDifferenceMs, maxPlaceDifferenceMeters] = [300_000, 250]

export interface PlainSpan {
  from: number
  until: number
}
const isWithin = (time: number, { from, until }: PlainSpan): boolean => time >= from && time < until

/** Whether a sequence of legal transitions leads through all events. Tries all possible sequences. */
function hasLegalPath(
  machine: StateMachine,
  from: VehicleState,
  types: readonly EventType[],
  to: VehicleState,
): boolean {
  const [first, ...rest] = types
  if (first === undefined) return from === to
  if (rest.length === 0) return isLegalTransition(machine, from, first, to)
  return vehicleStateNames.some(
    (between) => isLegalTransition(machine, from, first, between) && hasLegalPath(machine, between, rest, to),
  )
}

/** Checks the events of the span: is there a sequence of legal transitions from the state before to the new one? */
export function plainTransitions(
  events: readonly VehicleEvent[],
  span: PlainSpan,
  getMachine: (event: VehicleEvent) => StateMachine,
): { judged: number; illegal: string[] } {
  let judged = 0
  const illegal: string[] = []
  for (const timeline of listTimelines(events))
    for (const [index, event] of timeline.entries()) {
      const previous = timeline[index - 1]
      if (
        !previous ||
        !isWithin(event.time, span) ||
        previous.time < event.time - maxTransitionGapMs ||
        previous.time < span.from - maxTransitionGapMs
      )
        continue
      judged++
      if (!hasLegalPath(getMachine(event), previous.state, event.types, event.state))
        illegal.push(event.eventId)
    }
  return { judged, illegal }
}

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180
/** Returns the distance in meters on a sphere. */
export function getMetersBetween(a: { lon: number; lat: number }, b: { lon: number; lat: number }): number {
  const h =
    Math.sin(toRadians(b.lat - a.lat) / 2) ** 2 +
    Math.cos(toRadians(a.lat)) * Math.cos(toRadians(b.lat)) * Math.sin(toRadians(b.lon - a.lon) / 2) ** 2
  return 2 * 6_371_009 * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** Counts moves between successive positions of a vehicle, and the jumps among them: far and fast. */
export function plainMoves(
  events: readonly VehicleEvent[],
  telemetry: readonly TelemetryPoint[],
  span: PlainSpan,
): { moves: number; jumps: number } {
  const places = [
    ...listTimelines(events)
      .flat()
      .map((event) => ({ ...event, id: event.eventId })),
    ...telemetry.map((point) => ({ ...point, id: point.telemetryId })),
  ].filter(({ lon, lat }) => !Number.isNaN(lon + lat))
  const byVehicle = new Map<string, typeof places>()
  for (const place of places)
    byVehicle.set(`${place.operator} ${place.deviceId}`, [
      ...(byVehicle.get(`${place.operator} ${place.deviceId}`) ?? []),
      place,
    ])
  let [moves, jumps] = [0, 0]
  for (const vehiclePlaces of byVehicle.values()) {
    const timeline = vehiclePlaces.toSorted((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
    for (const [index, place] of timeline.entries()) {
      const previous = timeline[index - 1]
      if (
        !previous ||
        !isWithin(place.time, span) ||
        previous.time < place.time - maxMoveGapMs ||
        previous.time < span.from - maxMoveGapMs
      )
        continue
      moves++
      const meters = getMetersBetween(previous, place)
      const seconds = (place.time - previous.time) / 1000
      if (meters > minJumpMeters && meters > seconds * minJumpMetersPerSecond) jumps++
    }
  }
  return { moves, jumps }
}

/**
 * Lateness of the events of the span in seconds, sorted; rounded to minutes from ten minutes on. Events that
 * were received before their time have lateness 0.
 */
export const plainLateness = (events: readonly VehicleEvent[], received: number, span: PlainSpan): number[] =>
  listTimelines(events)
    .flat()
    .filter(({ time }) => isWithin(time, span))
    .map(({ time }) => Math.max(0, Math.trunc((received - time) / 1000)))
    .map((seconds) => (seconds < 600 ? seconds : Math.floor(seconds / 60) * 60))
    .toSorted((a, b) => a - b)

/** Counts deployed vehicles at a moment, those silent for a day, and those lost: silent for `lostAfterHours`. */
export function plainSilent(
  events: readonly VehicleEvent[],
  telemetry: readonly TelemetryPoint[],
  time: number,
  lostAfterHours: number,
): { deployed: number; silent: number; lost: number } {
  const counts = { deployed: 0, silent: 0, lost: 0 }
  const isRecent = (record: { time: number }): boolean => record.time < time && record.time >= time - recentMs
  for (const timeline of listTimelines(events)) {
    const last = timeline.findLast(isRecent)
    if (!last || !vehicleStates[last.state].deployed) continue
    const lastContact = Math.max(
      last.time,
      ...telemetry
        .filter(
          (point) => point.operator === last.operator && point.deviceId === last.deviceId && isRecent(point),
        )
        .map(({ time }) => time),
    )
    counts.deployed++
    if (lastContact < time - dayMs) counts.silent++
    if (lastContact <= time - lostAfterHours * hourMs) counts.lost++
  }
  return counts
}

const tripStartTypes = ['trip_start', 'trip_enter_jurisdiction']
const tripEndTypes = ['trip_end', 'trip_cancel', 'trip_leave_jurisdiction']

export interface PlainReport {
  tripId: string
  start: number
  end: number
  /** Longitude and latitude of the origin, then of the destination. */
  places: [number, number, number, number]
}

/** Compares the trips of events with the reported trips. */
export function plainReportedTrips(
  events: readonly VehicleEvent[],
  reports: readonly PlainReport[],
  span: PlainSpan,
): { endsWithoutStart: string[]; compared: number; timeDiffers: number; placeDiffers: number } {
  const eventsByTime = listTimelines(events)
    .flat()
    .filter(({ time }) => time >= span.from - 2 * dayMs && time < span.until + dayMs)
    .toSorted((a, b) => a.time - b.time)
  const ids = new Set(eventsByTime.flatMap(({ tripIds }) => tripIds))
  const counts = { endsWithoutStart: [] as string[], compared: 0, timeDiffers: 0, placeDiffers: 0 }
  for (const id of ids) {
    const tripEvents = eventsByTime.filter(({ tripIds }) => tripIds.includes(id))
    const start = tripEvents.find(({ types }) => types.some((type) => tripStartTypes.includes(type)))
    const ends = tripEvents.filter(({ types }) => types.some((type) => tripEndTypes.includes(type)))
    const end = ends.at(-1)
    if (!start && ends.some(({ time }) => isWithin(time, span))) counts.endsWithoutStart.push(id)
    const report = reports.find(({ tripId }) => tripId === id)
    if (!report || !isWithin(report.start, span) || (!start && !end)) continue
    counts.compared++
    const [lon0, lat0, lon1, lat1] = report.places
    if (
      (start && Math.abs(start.time - report.start) > maxTimeDifferenceMs) ||
      (end && Math.abs(end.time - report.end) > maxTimeDifferenceMs)
    )
      counts.timeDiffers++
    if (
      (start && getMetersBetween(start, { lon: lon0, lat: lat0 }) > maxPlaceDifferenceMeters) ||
      (end && getMetersBetween(end, { lon: lon1, lat: lat1 }) > maxPlaceDifferenceMeters)
    )
      counts.placeDiffers++
  }
  return counts
}
