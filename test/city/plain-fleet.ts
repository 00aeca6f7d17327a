// Reference implementation of intervals and parking events: goes through the sorted events of each vehicle.
import { hourMs } from '#contract/period.ts'
import { arrivalEvents, type VehicleState } from '#contract/vehicle-states.ts'
import { computeEventRank } from '#server/fleet/events/event-lines.ts'
import { getEventTurn } from '#server/fleet/events/event-turn.ts'
import type { VehicleEvent } from '#server/fleet/events/feed-records.ts'

/**
 * An interval (with `state`) or a parking event (with `ended`). `event` is the ID of its first event. Times are
 * milliseconds.
 */
export interface PlainRow {
  device: string
  from: number
  to: number
  event: string
  state?: VehicleState
  ended?: boolean
}

/** The end of intervals that have not ended, as in the fact store. */
export const never = Date.UTC(2299, 11, 31)
const isAtRest = (state: VehicleState): boolean =>
  ['available', 'non_operational', 'reserved'].includes(state)

/** Returns the highest-ranked version of each event, by vehicle, in the order of their times. */
export function listTimelines(events: readonly VehicleEvent[]): VehicleEvent[][] {
  const highestRanked = new Map<string, VehicleEvent>()
  for (const event of events) {
    const key = `${event.operator} ${event.deviceId} ${event.eventId}`
    const current = highestRanked.get(key)
    if (!current || computeEventRank(event) > computeEventRank(current)) highestRanked.set(key, event)
  }
  const byVehicle = new Map<string, VehicleEvent[]>()
  for (const event of highestRanked.values()) {
    const key = `${event.operator} ${event.deviceId}`
    byVehicle.set(key, [...(byVehicle.get(key) ?? []), event])
  }
  return [...byVehicle.values()].map((vehicleEvents) =>
    vehicleEvents.toSorted(
      (a, b) =>
        a.time - b.time || getEventTurn(a.types) - getEventTurn(b.types) || (a.eventId < b.eventId ? -1 : 1),
    ),
  )
}

/** Returns the intervals from each event of a vehicle to the next. */
export const plainIntervals = (events: readonly VehicleEvent[]): PlainRow[] =>
  listTimelines(events).flatMap((timeline) =>
    timeline
      .map((event, index) => ({
        device: event.deviceId,
        from: event.time,
        to: timeline[index + 1]?.time ?? never,
        event: event.eventId,
        state: event.state,
      }))
      .filter(({ from, to }) => to > from),
  )

/** Returns the distance in meters on a sphere, precise enough to distinguish 100 m from a step of the tests' grid. */
function getDistance(a: VehicleEvent, b: VehicleEvent): number {
  const radiansPerDegree = Math.PI / 180
  const h =
    Math.sin(((b.lat - a.lat) * radiansPerDegree) / 2) ** 2 +
    Math.cos(a.lat * radiansPerDegree) *
      Math.cos(b.lat * radiansPerDegree) *
      Math.sin(((b.lon - a.lon) * radiansPerDegree) / 2) ** 2
  return 2 * 6_371_000 * Math.asin(Math.sqrt(h))
}

/** Returns parking events, from the first event at rest to the departure or the loss of contact. */
export function plainParking(events: readonly VehicleEvent[], lostAfterHours: number): PlainRow[] {
  const rows: PlainRow[] = []
  for (const timeline of listTimelines(events)) {
    let openParking: { first: VehicleEvent; last: VehicleEvent } | null = null
    let lastState: VehicleState | null = null
    let lastPlaced: VehicleEvent | null = null
    let previous: VehicleEvent | null = null
    const closeParking = (at: number): void => {
      if (!openParking) return
      const lostAt = openParking.last.time + lostAfterHours * hourMs
      const to = Math.min(at, lostAt)
      if (to > openParking.first.time)
        rows.push({
          device: openParking.first.deviceId,
          from: openParking.first.time,
          to,
          event: openParking.first.eventId,
          ended: at <= lostAt,
        })
      openParking = null
    }
    for (const event of timeline) {
      const isResting = isAtRest(event.state)
      const hasMoved =
        lastPlaced !== null &&
        !Number.isNaN(event.lon) &&
        !Number.isNaN(event.lat) &&
        getDistance(lastPlaced, event) > 100
      const wasLost = previous !== null && event.time - previous.time > lostAfterHours * hourMs
      const hasArrived = event.types.some((type) => arrivalEvents.includes(type))
      if (isResting && (lastState === null || !isAtRest(lastState) || hasArrived || wasLost || hasMoved)) {
        closeParking(event.time)
        openParking = { first: event, last: event }
      } else if (!isResting && event.state !== 'non_contactable') closeParking(event.time)
      // TypeScript does not see that `closeParking` assigns the variable.
      else if (openParking) (openParking as { last: VehicleEvent }).last = event
      if (event.state !== 'non_contactable') lastState = event.state
      if (!Number.isNaN(event.lon) && !Number.isNaN(event.lat)) lastPlaced = event
      previous = event
    }
    closeParking(never)
  }
  return rows
}
