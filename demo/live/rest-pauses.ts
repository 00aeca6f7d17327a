import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import { eventKinds } from './event-kinds.ts'
import type { LiveVehicle } from './live-event.ts'
import type { LiveTrip } from './live-trip.ts'
import { batteryOf } from './rest-times.ts'
import { type Reckoning, shareOf } from './reckoning.ts'
const minute = 60_000
/** Percent at which a battery is changed. */
const low = 45
/** Share of rests at the end of a day after which a vehicle without a battery is looked after. */
const looked = 0.06
/** Share of rests in which contact is lost for a while. */
const unheard = 0.02
/** Nights that a vehicle stands at most, before it is taken to the workshop. */
const nights = 8

interface Pause {
  from: number
  until: number
  out: readonly [kind: number, state: VehicleState, type: EventType]
  back: readonly [kind: number, type: EventType]
}

/** One of the two events of a pause. */
interface PauseEvent {
  kind: number
  time: number
  state: VehicleState
  type: EventType
}

/** What happens while a vehicle stands where a trip left it, up to `until` (ms): each pause ends in the state available. */
export function restPauses(
  { seed, midnight }: Reckoning,
  vehicle: LiveVehicle,
  before: LiveTrip,
  until: number,
  after: LiveTrip | null,
): PauseEvent[] {
  const { tripNumber: number, endMs, localDate } = before
  const share = (purpose: number): number => shareOf(seed, number, purpose)
  const pauses: Pause[] = []
  const begin = endMs + 2 * minute + Math.floor(share(24) * 600) * 1000
  const isLastOfDay = after?.localDate !== localDate
  const battery = batteryOf(number, vehicle.vehicleType, true)
  const isOut = isLastOfDay && (Number.isNaN(battery) ? share(25) < looked : battery <= low)
  if (isOut) {
    const [out, back] = Number.isNaN(battery)
      ? (['maintenance', 'maintenance'] as const)
      : (['battery_low', 'battery_charged'] as const)
    pauses.push({
      from: begin,
      until: begin + 40 * minute + Math.floor(share(26) * 3600) * 1000,
      out: [eventKinds.outOfService, 'non_operational', out],
      back: [eventKinds.backInService, back],
    })
  } else if (share(27) < unheard) {
    pauses.push({
      from: begin,
      until: begin + 10 * minute + Math.floor(share(28) * 4200) * 1000,
      out: [eventKinds.lostAtRest, 'non_contactable', 'comms_lost'],
      back: [eventKinds.foundAtRest, 'comms_restored'],
    })
  }
  // Some of one operator's vehicles are closed at night, where nobody rides them.
  if (vehicle.operator.slug === 'hopkite' && vehicle.index % 5 < 3)
    for (let night = 0; night < nights; night++) {
      const start = midnight(localDate + night) + 20 * minute + ((number + night * 977) % 1201) * 1000
      const kind = eventKinds.offHours + 2 * night
      pauses.push({
        from: start,
        until: start + 4 * 60 * minute,
        out: [kind, 'non_operational', 'off_hours'],
        back: [kind + 1, 'on_hours'],
      })
    }
  const found: PauseEvent[] = []
  let free = endMs
  for (const pause of pauses) {
    if (pause.from < free + minute || pause.until > until - 2 * minute) continue
    const [kind, state, type] = pause.out
    const [backKind, backType] = pause.back
    found.push(
      { kind, time: pause.from, state, type },
      { kind: backKind, time: pause.until, state: 'available', type: backType },
    )
    free = pause.until
  }
  return found
}
