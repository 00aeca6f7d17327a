import { eventKinds } from './event-kinds.ts'
import type { LiveEvent, LiveVehicle } from './live-event.ts'
import { endOf, type LiveTrip, startOf } from './live-trip.ts'
import { type Reckoning, shareOf } from './reckoning.ts'
import { batteryOf, metresSquared, moveTimes, restRules, returnTime, workshopTime } from './rest-times.ts'
import { restPauses } from './rest-pauses.ts'
/** Share of trips that are reserved before. */
const reserved = 0.3

/** A rest of a vehicle: between two trips, before the first one or after the last one that are known. */
export interface Rest {
  before: LiveTrip | null
  after: LiveTrip | null
  /** Until when (ms) no other trip begins, where none is known after. */
  until: number
}

/** When a vehicle leaves the street during a rest, and when it comes back; null: not. */
function absence(
  { before, after, until }: Rest,
  { lonMetres, midnight }: Reckoning,
): { leaves: number | null; returns: number | null; isWorkshop: boolean } | null {
  if (!before)
    return (
      after && {
        leaves: null,
        returns: returnTime(Number.NEGATIVE_INFINITY, startOf(after), midnight(after.localDate)),
        isWorkshop: true,
      }
    )
  const end = endOf(before)
  if ((after?.startMs ?? until) - before.endMs >= restRules.workshopMs)
    return {
      leaves: workshopTime(end),
      returns: after && returnTime(before.endMs, startOf(after), midnight(after.localDate)),
      isWorkshop: true,
    }
  if (!after) return null
  const away = metresSquared(end, startOf(after), lonMetres)
  if (away <= restRules.movedMetres ** 2 || away >= restRules.lostMetres ** 2) return null
  const move = moveTimes(before.endMs, startOf(after), midnight(after.localDate))
  return move && { leaves: move.pickUp, returns: move.dropOff, isWorkshop: false }
}

/** The events of a rest, in order: what takes the vehicle off the street and back, what happens to it while it stands, and its reservation. */
export function restEvents(of: Reckoning, vehicle: LiveVehicle, rest: Rest): LiveEvent[] {
  const { before, after } = rest
  const away = absence(rest, of)
  const found: LiveEvent[] = []
  let free = before?.endMs ?? Number.NEGATIVE_INFINITY
  if (before) {
    const [place, battery] = [
      { lon: before.endLon, lat: before.endLat },
      batteryOf(before.tripNumber, vehicle.vehicleType, true),
    ]
    const until = away?.leaves ?? after?.startMs ?? rest.until
    for (const { kind, time, state, type } of restPauses(of, vehicle, before, until, after))
      found.push({
        vehicle,
        kind,
        number: before.tripNumber,
        time,
        state,
        types: [type],
        trip: null,
        ...place,
        battery,
      })
    free = found.at(-1)?.time ?? free
    if (away?.leaves) {
      const [kind, number, type] = away.isWorkshop
        ? ([eventKinds.workshop, before.tripNumber, 'maintenance_pick_up'] as const)
        : ([eventKinds.pickUp, after?.tripNumber ?? 0, 'rebalance_pick_up'] as const)
      found.push({
        vehicle,
        kind,
        number,
        time: away.leaves,
        state: 'removed',
        types: [type],
        trip: null,
        ...place,
        battery,
      })
      free = away.leaves
    }
  }
  if (!after) return found
  const { tripNumber: number, startMs } = after
  const there = {
    vehicle,
    number,
    trip: null,
    lon: after.startLon,
    lat: after.startLat,
    battery: batteryOf(number, vehicle.vehicleType, false),
  }
  if (away?.returns) {
    found.push({
      ...there,
      kind: eventKinds.dropOff,
      time: away.returns,
      state: 'available',
      types: ['provider_drop_off'],
    })
    free = away.returns
  }
  const ahead = startMs - 60_000 - Math.floor(shareOf(of.seed, number, 23) * 540) * 1000
  if (ahead > free + 30_000 && shareOf(of.seed, number, 22) < reserved)
    found.push({
      ...there,
      kind: eventKinds.reservation,
      time: ahead,
      state: 'reserved',
      types: ['reservation_start'],
    })
  return found
}
