import { type EventType, eventTypes, type VehicleState, vehicleStateNames } from '#contract/vehicle-states.ts'

const isOneOf = <Word extends string>(words: readonly Word[], word: string): word is Word =>
  (words as readonly string[]).includes(word)

/** The vehicle states of MDS 1.2. */
export const earlierStates: ReadonlySet<string> = new Set([
  'available',
  'elsewhere',
  'non_operational',
  'on_trip',
  'removed',
  'reserved',
  'unknown',
])

/** The event types of MDS 1.2. */
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

/** Converts an event type of MDS 1.2 to 2.0, which lacks only `missing`: there it is `not_located`. */
export const toEventType = (event: string): EventType => (isOneOf(eventTypes, event) ? event : 'not_located')

/**
 * Converts a state of MDS 1.2 to 2.0. For lost contact 1.2 has one state and 2.0 has two: `missing` after an
 * event with that name, otherwise `non_contactable`.
 */
export function toVehicleState(state: string, types: readonly string[]): VehicleState {
  if (isOneOf(vehicleStateNames, state)) return state
  return types.includes('missing') ? 'missing' : 'non_contactable'
}
