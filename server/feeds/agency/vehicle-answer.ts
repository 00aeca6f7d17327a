import type { EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Pusher } from './find-pusher.ts'
import type { LastEvent } from './queries/last-events.ts'
import type { KnownVehicle } from './queries/known-vehicles.ts'
import { storedObject } from './stored-object.ts'

type Fields = Record<string, unknown>

/** Fields that are not empty. */
export const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )

/** The first of two fields with a value. */
const either = (fields: Fields, key: string, other: Fields, otherKey: string): unknown =>
  fields[key] ?? other[otherKey]

/** A registered vehicle in MDS 2.0, whichever version registered it. */
export function vehicleAnswer({ deviceId, attributes }: KnownVehicle, { providerId }: Pusher): Fields {
  const { provider_name: _, year, mfgr, model, ...stored } = storedObject(attributes)
  const isMds1 =
    stored['vehicle_type'] === 'scooter' || year !== undefined || mfgr !== undefined || model !== undefined
  const made = withoutEmpty({ year, make: mfgr, model })
  return {
    ...stored,
    device_id: deviceId,
    ...withoutEmpty({ provider_id: stored['provider_id'] ?? providerId }),
    // 1.2 does not say whether a scooter has a seat; most have none.
    ...(stored['vehicle_type'] === 'scooter' ? { vehicle_type: 'scooter_standing' } : {}),
    ...(isMds1 && Object.keys(made).length ? { vehicle_attributes: made } : {}),
  }
}

/** Vehicle types of MDS 2.0 with another name in 1.2. */
export const mds1VehicleTypes: Record<string, string> = {
  scooter_standing: 'scooter',
  scooter_seated: 'scooter',
  bus: 'other',
  truck: 'other',
  motorcycle: 'other',
  delivery_robot: 'other',
}
const mds1Propulsions = ['human', 'electric_assist', 'electric', 'combustion']

/** States of MDS 1.2: lost contact is a single state, a pause belongs to its trip. */
const mds1State = (state: VehicleState): string =>
  state === 'non_contactable' || state === 'missing' ? 'unknown' : state === 'stopped' ? 'on_trip' : state
const shared: readonly string[] = [
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
const mds1Event = (type: EventType): string =>
  type === 'not_located' ? 'missing' : shared.includes(type) ? type : 'unspecified'

/** A registered vehicle in MDS 1.2, with its state; before its first event it is not on the street. */
export function mds1VehicleAnswer(
  { deviceId, attributes }: KnownVehicle,
  { providerId }: Pusher,
  last: LastEvent | undefined,
): Fields {
  const stored = storedObject(attributes)
  const made = storedObject(JSON.stringify(stored['vehicle_attributes'] ?? {}))
  const type = String(stored['vehicle_type'])
  const propulsions = (Array.isArray(stored['propulsion_types']) ? stored['propulsion_types'] : []).map(
    (each) =>
      mds1Propulsions.includes(each as string)
        ? (each as string)
        : each === 'hydrogen_fuel_cell'
          ? 'electric'
          : 'combustion',
  )
  return {
    ...withoutEmpty({ provider_id: stored['provider_id'] ?? providerId }),
    device_id: deviceId,
    vehicle_id: stored['vehicle_id'],
    vehicle_type: mds1VehicleTypes[type] ?? type,
    propulsion_types: [...new Set(propulsions)],
    ...withoutEmpty({
      year: either(stored, 'year', made, 'year'),
      mfgr: either(stored, 'mfgr', made, 'make'),
      model: either(stored, 'model', made, 'model'),
    }),
    ...(last
      ? {
          state: mds1State(last.state),
          prev_events: [...new Set(last.types.map(mds1Event))],
          updated: last.time,
        }
      : { state: 'removed', prev_events: [] }),
  }
}
