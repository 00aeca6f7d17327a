import { type EventType, eventTypes, type VehicleState, vehicleStateNames } from '#contract/vehicle-states.ts'

const isOurs = <Word extends string>(words: readonly Word[], word: string): word is Word =>
  (words as readonly string[]).includes(word)

/** States of MDS 1.2. */
export const earlierStates: ReadonlySet<string> = new Set([
  'available',
  'elsewhere',
  'non_operational',
  'on_trip',
  'removed',
  'reserved',
  'unknown',
])

/** Events of MDS 1.2. */
export const earlierEvents: ReadonlySet<string> = new Set([
  'agency_drop_off',
  'agency_pick_up',
  'battery_charged',
  'battery_low',
  'changed_geographies',
  'comms_lost',
  'comms_restored',
  'compliance_pick_up',
  'decommissioned',
  'located',
  'maintenance',
  'maintenance_pick_up',
  'missing',
  'off_hours',
  'on_hours',
  'provider_drop_off',
  'rebalance_pick_up',
  'reservation_cancel',
  'reservation_start',
  'system_resume',
  'system_suspend',
  'trip_cancel',
  'trip_end',
  'trip_enter_jurisdiction',
  'trip_leave_jurisdiction',
  'trip_start',
  'unspecified',
])

/** The event type of an MDS 1.2 event: its `missing` names the state that the vehicle enters. */
export const eventTypeOf = (event: string): EventType => (isOurs(eventTypes, event) ? event : 'not_located')

/** MDS 1.2 has one state of lost contact, MDS 2.0 two: `missing` after that event, else `non_contactable`. */
export function stateOf(state: string, types: readonly string[]): VehicleState {
  if (isOurs(vehicleStateNames, state)) return state
  return types.includes('missing') ? 'missing' : 'non_contactable'
}
