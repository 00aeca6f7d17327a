// Reference implementation of intervals and parking events: goes through the sorted events of each vehicle.
import { hourMs } from '#contract/period.ts'
import { arrivalEvents, type VehicleState } from '#contract/vehicle-states.ts'
import { computeEventRank } from '#server/fleet/events/event-lines.ts'
import { getEventTurn } from '#server/fleet/events/event-turn.ts'
import type { VehicleEvent } from '#server/fleet/events/feed-records.ts'

export interface PlainRow {
  device: string
  from: number
  to: number
  event: string
  state?: VehicleState
  ended?: boolean
}

export const never = Date.UTC(2299, 11, 31)
const isAtRest = (state: VehicleState): boolean =>
  ['available', 'non_operational', 'reserved'].includes(state)

/** Returns the highest-ranked version of each event, by vehicle, in the order of their times. */
export function listTimelines(events: readonly VehicleEvent[]): VehicleEvent[][] {
  const winners = new Map<string, VehicleEvent>()
  for (const event of events) {
    const key = `${event.operator} ${event.deviceId} ${event.eventId}`
    const winner = winners.get(key)
    if (!winner || computeEventRank(event) > computeEventRank(winner)) winners.set(key, event)
  }
  const byVehicle = new Map<string, VehicleEvent[]>()
  for (const event of winners.values()) {
    const key = `${event.operator} ${event.deviceId}`
    byVehicle.set(key, [...(byVehicle.get(key) ?? []), event])
  }
  return [...byVehicle.values()].map((all) =>
    all.toSorted(
      (a, b) =>
        a.time - b.time || getEventTurn(a.types) - getEventTurn(b.types) || (a.eventId < b.eventId ? -1 : 1),
    ),
  )
}

/** Returns the intervals from each event of a vehicle to the next. */
export const plainIntervals = (events: readonly VehicleEvent[]): PlainRow[] =>
  listTimelines(events).flatMap((line) =>
    line
      .map((event, index) => ({
        device: event.deviceId,
        from: event.time,
        to: line[index + 1]?.time ?? never,
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
    let openStay: { first: VehicleEvent; last: VehicleEvent } | null = null
    let lastState: VehicleState | null = null
    let lastPlaced: VehicleEvent | null = null
    let previous: VehicleEvent | null = null
    const close = (at: number): void => {
      if (!openStay) return
      const lostAt = openStay.last.time + lostAfterHours * hourMs
      const to = Math.min(at, lostAt)
      if (to > openStay.first.time)
        rows.push({
          device: openStay.first.deviceId,
          from: openStay.first.time,
          to,
          event: openStay.first.eventId,
          ended: at <= lostAt,
        })
      openStay = null
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
        close(event.time)
        openStay = { first: event, last: event }
      } else if (!isResting && event.state !== 'non_contactable') close(event.time)
      else if (openStay) (openStay as { last: VehicleEvent }).last = event
      if (event.state !== 'non_contactable') lastState = event.state
      if (!Number.isNaN(event.lon) && !Number.isNaN(event.lat)) lastPlaced = event
      previous = event
    }
    close(never)
  }
  return rows
}
