import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Pusher } from './find-pusher.ts'
import type { LastEvent } from './queries/last-events.ts'
import type { KnownVehicle } from './queries/known-vehicles.ts'
import { isItem } from '../mds/fields.ts'
import { parseStoredObject } from './stored-object.ts'

type Fields = Record<string, unknown>

/** Returns the fields that are not undefined, null or ''. */
export const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )

/** Returns a registered vehicle in MDS 2.0, converted if it was registered in 1.2. */
export function toMds2Vehicle({ deviceId, attributes }: KnownVehicle, { providerId }: Pusher): Fields {
  const { provider_name: _, year, mfgr, model, ...stored } = parseStoredObject(attributes)
  const mds2Attributes = withoutEmpty({ year, make: mfgr, model })
  return {
    ...stored,
    device_id: deviceId,
    ...withoutEmpty({ provider_id: stored['provider_id'] ?? providerId }),
    // MDS 1.2 does not distinguish scooters with and without a seat; most have none.
    ...(stored['vehicle_type'] === 'scooter' ? { vehicle_type: 'scooter_standing' } : {}),
    ...(Object.keys(mds2Attributes).length ? { vehicle_attributes: mds2Attributes } : {}),
  }
}

/** Vehicle types of MDS 2.0 that have another name in 1.2. */
export const mds1VehicleTypes: Record<string, string> = {
  scooter_standing: 'scooter',
  scooter_seated: 'scooter',
  bus: 'other',
  truck: 'other',
  motorcycle: 'other',
  delivery_robot: 'other',
}
/** Propulsions with the same name in both versions. */
const mds1Propulsions = ['human', 'electric_assist', 'electric', 'combustion']

/** Converts a state to MDS 1.2, where lost contact is a single state and a stop is part of the trip. */
function toMds1State(state: VehicleState): string {
  if (state === 'non_contactable' || state === 'missing') return 'unknown'
  return state === 'stopped' ? 'on_trip' : state
}
/** Event types with the same name in both versions. */
const sharedEventTypes: readonly string[] = [
  'agency_drop_off',
  'agency_pick_up',
  'battery_charged',
  'battery_low',
  'comms_lost',
  'comms_restored',
  'compliance_pick_up',
  'decommissioned',
  'located',
  'maintenance',
  'maintenance_pick_up',
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
]
function toMds1EventType(type: EventType): string {
  if (type === 'not_located') return 'missing'
  return sharedEventTypes.includes(type) ? type : 'unspecified'
}

function toMds1Propulsion(propulsion: string): string {
  if (mds1Propulsions.includes(propulsion)) return propulsion
  return propulsion === 'hydrogen_fuel_cell' ? 'electric' : 'combustion'
}

/** Returns a registered vehicle in MDS 1.2 with its state, which is `removed` before its first event. */
export function toMds1Vehicle(
  { deviceId, attributes }: KnownVehicle,
  { providerId }: Pusher,
  lastEvent: LastEvent | undefined,
): Fields {
  const stored = parseStoredObject(attributes)
  const mds2Attributes: Fields = isItem(stored['vehicle_attributes']) ? stored['vehicle_attributes'] : {}
  const type = String(stored['vehicle_type'])
  const propulsions = Array.isArray(stored['propulsion_types'])
    ? (stored['propulsion_types'] as string[])
    : []
  return {
    ...withoutEmpty({ provider_id: stored['provider_id'] ?? providerId }),
    device_id: deviceId,
    vehicle_id: stored['vehicle_id'],
    vehicle_type: mds1VehicleTypes[type] ?? type,
    propulsion_types: [...new Set(propulsions.map(toMds1Propulsion))],
    ...withoutEmpty({
      year: stored['year'] ?? mds2Attributes['year'],
      mfgr: stored['mfgr'] ?? mds2Attributes['make'],
      model: stored['model'] ?? mds2Attributes['model'],
    }),
    ...(lastEvent
      ? {
          state: toMds1State(lastEvent.state),
          prev_events: [...new Set(lastEvent.types.map(toMds1EventType))],
          updated: lastEvent.time,
        }
      : { state: 'removed', prev_events: [] }),
  }
}
