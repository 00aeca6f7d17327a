import type { EventType } from '#contract/vehicle-states.ts'
import { eventIdOf } from '#server/ingest/mds/earlier/read-status.ts'
import type { VehicleEvent } from '#server/mobility/fleet/vehicle-event.ts'
import type { LiveEvent } from '../live/live-event.ts'
import type { LiveModel } from '../live/live-model.ts'
import { madeId, tripIdOf } from '../trips/made-id.ts'
import { historicTypes } from './history-events.ts'

/** Types that end what another event began. */
const endings: readonly EventType[] = ['battery_charged', 'comms_restored', 'maintenance', 'on_hours']

const isHistoric = ({ types }: LiveEvent): boolean => types.every((type) => historicTypes.includes(type))

/** As the operator's feed tells it, and our readers read it. */
export function storedEvent(event: LiveEvent, hasIds: boolean): VehicleEvent {
  const { vehicle, kind, number, time, state, types, trip, lon, lat, battery } = event
  const operator = vehicle.operator.slug
  return {
    operator,
    deviceId: vehicle.id,
    eventId: hasIds ? madeId(kind, number) : eventIdOf(operator, vehicle.id, time, types),
    time,
    state,
    types,
    tripIds: trip === null ? [] : [tripIdOf(trip)],
    lon,
    lat,
    accuracy: 5,
    battery,
    published: 0,
  }
}

/**
 * What the history, told by trips alone, does not know of vehicles when the feeds take over: the last thing that happened to each, with
 * what it ended. So that the feeds go on from there: a battery is not charged that never was low.
 */
export const seamEvents = (model: LiveModel, operator: string, seam: number): LiveEvent[] =>
  model.statuses(operator, seam - 1).flatMap(({ event, earlier }) => {
    if (isHistoric(event)) return []
    const isEnding = event.state === 'available' && event.types.some((type) => endings.includes(type))
    return isEnding && earlier && !isHistoric(earlier) ? [earlier, event] : [event]
  })
