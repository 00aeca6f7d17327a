// Reference implementation of intervals and parking events: goes through the sorted events of each vehicle.
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
const hour = 3_600_000
const atRest = (state: VehicleState): boolean => ['available', 'non_operational', 'reserved'].includes(state)

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
  const rad = Math.PI / 180
  const h =
    Math.sin(((b.lat - a.lat) * rad) / 2) ** 2 +
    Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(((b.lon - a.lon) * rad) / 2) ** 2
  return 2 * 6_371_000 * Math.asin(Math.sqrt(h))
}

export function plainParking(events: readonly VehicleEvent[], lostAfterHours: number): PlainRow[] {
  const found: PlainRow[] = []
  for (const line of listTimelines(events)) {
    let open: { first: VehicleEvent; last: VehicleEvent } | null = null
    let known: VehicleState | null = null
    let placed: VehicleEvent | null = null
    let before: VehicleEvent | null = null
    const close = (at: number): void => {
      if (!open) return
      const lost = open.last.time + lostAfterHours * hour
      const to = Math.min(at, lost)
      if (to > open.first.time)
        found.push({
          device: open.first.deviceId,
          from: open.first.time,
          to,
          event: open.first.eventId,
          ended: at <= lost,
        })
      open = null
    }
    for (const event of line) {
      const rests = atRest(event.state)
      const moved =
        placed !== null &&
        !Number.isNaN(event.lon) &&
        !Number.isNaN(event.lat) &&
        getDistance(placed, event) > 100
      const late = before !== null && event.time - before.time > lostAfterHours * hour
      const arrived = event.types.some((type) => arrivalEvents.includes(type))
      if (rests && (known === null || !atRest(known) || arrived || late || moved)) {
        close(event.time)
        open = { first: event, last: event }
      } else if (!rests && event.state !== 'non_contactable') close(event.time)
      else if (open) (open as { last: VehicleEvent }).last = event
      if (event.state !== 'non_contactable') known = event.state
      if (!Number.isNaN(event.lon) && !Number.isNaN(event.lat)) placed = event
      before = event
    }
    close(never)
  }
  return found
}
