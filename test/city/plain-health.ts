// Reference implementation of the figures of data health, by vehicle and trip.
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import { vehicleStateNames, vehicleStates } from '#contract/vehicle-states.ts'
import { isLegalTransition, type StateMachine } from '#server/fleet/events/state-machine.ts'
import type { TelemetryPoint, VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { listTimelines } from './plain-fleet.ts'

const hour = 3_600_000
export interface PlainSpan {
  from: number
  until: number
}
const inside = (time: number, { from, until }: PlainSpan): boolean => time >= from && time < until

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

export function plainTransitions(
  events: readonly VehicleEvent[],
  span: PlainSpan,
  getMachine: (event: VehicleEvent) => StateMachine,
): { judged: number; illegal: string[] } {
  let checkedCount = 0
  const illegal: string[] = []
  for (const line of listTimelines(events))
    for (const [index, event] of line.entries()) {
      const before = line[index - 1]
      if (
        !before ||
        !inside(event.time, span) ||
        before.time < event.time - 48 * hour ||
        before.time < span.from - 48 * hour
      )
        continue
      checkedCount++
      if (!hasLegalPath(getMachine(event), before.state, event.types, event.state))
        illegal.push(event.eventId)
    }
  return { judged: checkedCount, illegal }
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180
/** Returns the distance in meters on a sphere. */
export function metersBetween(a: { lon: number; lat: number }, b: { lon: number; lat: number }): number {
  const h =
    Math.sin(radians(b.lat - a.lat) / 2) ** 2 +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lon - a.lon) / 2) ** 2
  return 2 * 6_371_009 * Math.asin(Math.min(1, Math.sqrt(h)))
}

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
  for (const all of byVehicle.values()) {
    const line = all.toSorted((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
    for (const [index, place] of line.entries()) {
      const before = line[index - 1]
      if (
        !before ||
        !inside(place.time, span) ||
        before.time < place.time - 24 * hour ||
        before.time < span.from - 24 * hour
      )
        continue
      moves++
      const meters = metersBetween(before, place)
      if (meters > 500 && meters > ((place.time - before.time) / 1000) * (100_000 / 3600)) jumps++
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
    .filter(({ time }) => inside(time, span))
    .map(({ time }) => Math.max(0, Math.trunc((received - time) / 1000)))
    .map((seconds) => (seconds < 600 ? seconds : Math.floor(seconds / 60) * 60))
    .toSorted((a, b) => a - b)

export function plainSilent(
  events: readonly VehicleEvent[],
  telemetry: readonly TelemetryPoint[],
  at: number,
  lostAfterHours: number,
): { deployed: number; silent: number; lost: number } {
  const found = { deployed: 0, silent: 0, lost: 0 }
  const known = (time: number): boolean => time < at && time >= at - 14 * 24 * hour
  for (const line of listTimelines(events)) {
    const last = line.findLast(({ time }) => known(time))
    if (!last || !vehicleStates[last.state].deployed) continue
    const lastContact = Math.max(
      last.time,
      ...telemetry
        .filter(
          (point) =>
            point.operator === last.operator && point.deviceId === last.deviceId && known(point.time),
        )
        .map(({ time }) => time),
    )
    found.deployed++
    if (lastContact < at - 24 * hour) found.silent++
    if (lastContact <= at - lostAfterHours * hour) found.lost++
  }
  return found
}

const starting = ['trip_start', 'trip_enter_jurisdiction']
const ending = ['trip_end', 'trip_cancel', 'trip_leave_jurisdiction']

export interface PlainReport {
  tripId: string
  start: number
  end: number
  places: [number, number, number, number]
}

/** Compares the trips of events with the reported trips. */
export function plainReportedTrips(
  events: readonly VehicleEvent[],
  reports: readonly PlainReport[],
  span: PlainSpan,
): { endsWithoutStart: string[]; compared: number; timeDiffers: number; placeDiffers: number } {
  const reported = listTimelines(events)
    .flat()
    .filter(({ time }) => time >= span.from - 48 * hour && time < span.until + 24 * hour)
    .toSorted((a, b) => a.time - b.time)
  const ids = new Set(reported.flatMap(({ tripIds }) => tripIds))
  const found = { endsWithoutStart: [] as string[], compared: 0, timeDiffers: 0, placeDiffers: 0 }
  for (const id of ids) {
    const its = reported.filter(({ tripIds }) => tripIds.includes(id))
    const start = its.find(({ types }) => types.some((type) => starting.includes(type)))
    const ends = its.filter(({ types }) => types.some((type) => ending.includes(type)))
    const end = ends.at(-1)
    if (!start && ends.some(({ time }) => time < span.until && time >= span.from))
      found.endsWithoutStart.push(id)
    const report = reports.find(({ tripId }) => tripId === id)
    if (!report || !inside(report.start, span) || (!start && !end)) continue
    found.compared++
    const [lon0, lat0, lon1, lat1] = report.places
    if (
      (start && Math.abs(start.time - report.start) > 300_000) ||
      (end && Math.abs(end.time - report.end) > 300_000)
    )
      found.timeDiffers++
    if (
      (start && metersBetween(start, { lon: lon0, lat: lat0 }) > 250) ||
      (end && metersBetween(end, { lon: lon1, lat: lat1 }) > 250)
    )
      found.placeDiffers++
  }
  return found
}
