import { eventKinds } from './event-kinds.ts'
import type { LiveEvent, LiveVehicle } from './live-event.ts'
import { endOf, type LiveTrip, startOf } from './live-trip.ts'
import { type ModelContext, shareOf } from './model-context.ts'
import {
  batteryOf,
  metersSquared,
  moveTimes,
  parkingRules,
  returnTime,
  workshopTime,
} from './parking-times.ts'
import { interruptions } from './interruptions.ts'

/** Share of trips with a reservation. */
const reservedShare = 0.3

/** A parking period of a vehicle: between two trips, before the first or after the last known trip. */
export interface ParkingPeriod {
  before: LiveTrip | null
  after: LiveTrip | null
  /** Time (ms) until which no trip begins if `after` is null. */
  until: number
}

/** When a vehicle is removed from the street during a parking period, and when it returns; null if it is not removed. */
function absence(
  { before, after, until }: ParkingPeriod,
  { lonMeters, midnight }: ModelContext,
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
  if ((after?.startMs ?? until) - before.endMs >= parkingRules.workshopMs)
    return {
      leaves: workshopTime(end),
      returns: after && returnTime(before.endMs, startOf(after), midnight(after.localDate)),
      isWorkshop: true,
    }
  if (!after) return null
  const away = metersSquared(end, startOf(after), lonMeters)
  if (away <= parkingRules.movedMeters ** 2 || away >= parkingRules.lostMeters ** 2) return null
  const move = moveTimes(before.endMs, startOf(after), midnight(after.localDate))
  return move && { leaves: move.pickUp, returns: move.dropOff, isWorkshop: false }
}

/** The events of a parking period, in order: interruptions, removal and return of the vehicle, and its reservation. */
export function parkingEvents(
  context: ModelContext,
  vehicle: LiveVehicle,
  period: ParkingPeriod,
): LiveEvent[] {
  const { before, after } = period
  const away = absence(period, context)
  const found: LiveEvent[] = []
  let free = before?.endMs ?? Number.NEGATIVE_INFINITY
  if (before) {
    const [place, battery] = [
      { lon: before.endLon, lat: before.endLat },
      batteryOf(before.tripNumber, vehicle.vehicleType, true),
    ]
    const until = away?.leaves ?? after?.startMs ?? period.until
    for (const { kind, time, state, type } of interruptions(context, vehicle, before, until, after))
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
  const reservedAt = startMs - 60_000 - Math.floor(shareOf(context.seed, number, 23) * 540) * 1000
  if (reservedAt > free + 30_000 && shareOf(context.seed, number, 22) < reservedShare)
    found.push({
      ...there,
      kind: eventKinds.reservation,
      time: reservedAt,
      state: 'reserved',
      types: ['reservation_start'],
    })
  return found
}
