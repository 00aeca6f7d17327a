import { salts } from '../hash-numbers.ts'
import { createEventKinds } from './event-kinds.ts'
import type { LiveEvent, LiveVehicle } from './live-event.ts'
import { getEnd, type LiveTrip, getStart } from './live-trip.ts'
import { type ModelContext, drawShare } from './model-context.ts'
import {
  computeBattery,
  computeMetersSquared,
  planMove,
  parkingRules,
  getReturnTime,
  getWorkshopTime,
} from './parking-times.ts'
import { makeInterruptions } from './interruptions.ts'

/** Share of trips with a reservation. */
const reservedShare = 0.3

/** A parking period of a vehicle: between two trips, before the first or after the last known trip. */
export interface ParkingPeriod {
  before: LiveTrip | null
  after: LiveTrip | null
  /** Time (ms) until which no trip begins if `after` is null. */
  until: number
}

/** Computes when a vehicle is removed during a parking period and when it returns; null if never. */
function planAbsence(
  { before, after, until }: ParkingPeriod,
  { lonMeters, midnight }: ModelContext,
): { leaves: number | null; returns: number | null; isWorkshop: boolean } | null {
  if (!before)
    return (
      after && {
        leaves: null,
        returns: getReturnTime(Number.NEGATIVE_INFINITY, getStart(after), midnight(after.localDate)),
        isWorkshop: true,
      }
    )
  const end = getEnd(before)
  if ((after?.startMs ?? until) - before.endMs >= parkingRules.workshopMs)
    return {
      leaves: getWorkshopTime(end),
      returns: after && getReturnTime(before.endMs, getStart(after), midnight(after.localDate)),
      isWorkshop: true,
    }
  if (!after) return null
  const moved = computeMetersSquared(end, getStart(after), lonMeters)
  if (moved <= parkingRules.movedMeters ** 2 || moved >= parkingRules.lostMeters ** 2) return null
  const move = planMove(before.endMs, getStart(after), midnight(after.localDate))
  return move && { leaves: move.pickUp, returns: move.dropOff, isWorkshop: false }
}

/** Returns the events of a parking period in order: interruptions, removal, return, reservation. */
export function makeParkingEvents(
  context: ModelContext,
  vehicle: LiveVehicle,
  period: ParkingPeriod,
): LiveEvent[] {
  const { before, after } = period
  const absence = planAbsence(period, context)
  const events: LiveEvent[] = []
  let freeFrom = before?.endMs ?? Number.NEGATIVE_INFINITY
  if (before) {
    const [place, battery] = [
      { lon: before.endLon, lat: before.endLat },
      computeBattery(before.tripNumber, vehicle.vehicleType, true),
    ]
    const until = absence?.leaves ?? after?.startMs ?? period.until
    for (const { kind, time, state, type } of makeInterruptions(context, { vehicle, before, after, until }))
      events.push({
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
    freeFrom = events.at(-1)?.time ?? freeFrom
    if (absence?.leaves) {
      const [kind, number, type] = absence.isWorkshop
        ? ([createEventKinds.workshop, before.tripNumber, 'maintenance_pick_up'] as const)
        : ([createEventKinds.pickUp, after?.tripNumber ?? 0, 'rebalance_pick_up'] as const)
      events.push({
        vehicle,
        kind,
        number,
        time: absence.leaves,
        state: 'removed',
        types: [type],
        trip: null,
        ...place,
        battery,
      })
      freeFrom = absence.leaves
    }
  }
  if (!after) return events
  const { tripNumber: number, startMs } = after
  const common = {
    vehicle,
    number,
    trip: null,
    lon: after.startLon,
    lat: after.startLat,
    battery: computeBattery(number, vehicle.vehicleType, false),
  }
  if (absence?.returns) {
    events.push({
      ...common,
      kind: createEventKinds.dropOff,
      time: absence.returns,
      state: 'available',
      types: ['provider_drop_off'],
    })
    freeFrom = absence.returns
  }
  const reservedAt =
    startMs - 60_000 - Math.floor(drawShare(context.seed, number, salts.reservationStart) * 540) * 1000
  if (reservedAt > freeFrom + 30_000 && drawShare(context.seed, number, salts.reservation) < reservedShare)
    events.push({
      ...common,
      kind: createEventKinds.reservation,
      time: reservedAt,
      state: 'reserved',
      types: ['reservation_start'],
    })
  return events
}
