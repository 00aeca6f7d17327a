import { minuteMs } from '#contract/period.ts'
import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import { salts } from '../hash-numbers.ts'
import { createEventKinds } from './event-kinds.ts'
import type { LiveVehicle } from './live-event.ts'
import type { LiveTrip } from './live-trip.ts'
import { computeBattery } from './parking-times.ts'
import { type ModelContext, drawShare } from './model-context.ts'

/** Battery level in percent at which the battery is swapped. */
const lowBattery = 45
/** Share of parking periods at the end of a day in which a vehicle without a battery is maintained. */
const maintainedShare = 0.06
/** Share of parking periods in which contact is lost temporarily. */
const lostContactShare = 0.02
/** Maximum number of nights that a vehicle is parked before it is taken to the workshop. */
const maxNights = 8

/** A period in which a parked vehicle is not available. */
interface Interruption {
  fromMs: number
  untilMs: number
  out: readonly [kind: number, state: VehicleState, type: EventType]
  back: readonly [kind: number, type: EventType]
}

/** One of the two events of an interruption. */
interface InterruptionEvent {
  kind: number
  time: number
  state: VehicleState
  type: EventType
}

/** A vehicle that is parked after a trip, up to `until` (ms). */
interface ParkedVehicle {
  vehicle: LiveVehicle
  before: LiveTrip
  after: LiveTrip | null
  until: number
}

/** Lists the events of interruptions while a vehicle is parked. Each interruption ends in the state `available`. */
export function makeInterruptions(context: ModelContext, parked: ParkedVehicle): InterruptionEvent[] {
  const events: InterruptionEvent[] = []
  let freeFromMs = parked.before.endMs
  for (const interruption of planInterruptions(context, parked)) {
    if (interruption.fromMs < freeFromMs + minuteMs || interruption.untilMs > parked.until - 2 * minuteMs)
      continue
    const [kind, state, type] = interruption.out
    const [backKind, backType] = interruption.back
    events.push(
      { kind, time: interruption.fromMs, state, type },
      { kind: backKind, time: interruption.untilMs, state: 'available', type: backType },
    )
    freeFromMs = interruption.untilMs
  }
  return events
}

/** Returns the interruptions of a vehicle, without those that do not fit into the parking period. */
function planInterruptions(
  { seed, midnight }: ModelContext,
  { vehicle, before, after }: ParkedVehicle,
): Interruption[] {
  const { tripNumber: number, endMs, localDate } = before
  const draw = (salt: number): number => drawShare(seed, number, salt)
  const planned: Interruption[] = []
  const beginMs = endMs + 2 * minuteMs + Math.floor(draw(salts.interruptionStart) * 600) * 1000
  const isLastOfDay = after?.localDate !== localDate
  const battery = computeBattery(number, vehicle.vehicleType, true)
  const isOut =
    isLastOfDay && (Number.isNaN(battery) ? draw(salts.maintenance) < maintainedShare : battery <= lowBattery)
  if (isOut) {
    const [out, back] = Number.isNaN(battery)
      ? (['maintenance', 'maintenance'] as const)
      : (['battery_low', 'battery_charged'] as const)
    planned.push({
      fromMs: beginMs,
      untilMs: beginMs + 40 * minuteMs + Math.floor(draw(salts.outOfServiceDuration) * 3600) * 1000,
      out: [createEventKinds.outOfService, 'non_operational', out],
      back: [createEventKinds.backInService, back],
    })
  } else if (draw(salts.contactWhileParked) < lostContactShare) {
    planned.push({
      fromMs: beginMs,
      untilMs: beginMs + 10 * minuteMs + Math.floor(draw(salts.lostContactDuration) * 4200) * 1000,
      out: [createEventKinds.lostParked, 'non_contactable', 'comms_lost'],
      back: [createEventKinds.foundParked, 'comms_restored'],
    })
  }
  // One operator takes some of its vehicles out of service at night.
  if (vehicle.operator.slug === 'hopkite' && vehicle.index % 5 < 3)
    for (let night = 0; night < maxNights; night++) {
      const startMs = midnight(localDate + night) + 20 * minuteMs + ((number + night * 977) % 1201) * 1000
      const kind = createEventKinds.offHours + 2 * night
      planned.push({
        fromMs: startMs,
        untilMs: startMs + 4 * 60 * minuteMs,
        out: [kind, 'non_operational', 'off_hours'],
        back: [kind + 1, 'on_hours'],
      })
    }
  return planned
}
