import { z } from 'zod'

/** Vehicle states of MDS 2.0, and whether the vehicle is in the public right of way (docs/metrics.md). */
export const vehicleStates = {
  available: { deployed: true },
  non_operational: { deployed: true },
  reserved: { deployed: true },
  on_trip: { deployed: true },
  stopped: { deployed: true },
  non_contactable: { deployed: true },
  removed: { deployed: false },
  elsewhere: { deployed: false },
  missing: { deployed: false },
} as const
export type VehicleState = keyof typeof vehicleStates
export const vehicleStateNames = Object.keys(vehicleStates) as [VehicleState, ...VehicleState[]]
export const VehicleState = z.enum(vehicleStateNames)
/** States in which a vehicle is in the public right of way. */
export const deployedStates: readonly VehicleState[] = vehicleStateNames.filter(
  (state) => vehicleStates[state].deployed,
)

/** Event types of MDS 2.0.2 of all modes, with both spellings of the defects listed in SOURCES. */
export const eventTypes = [
  'agency_drop_off',
  'agency_pick_up',
  'battery_charged',
  'battery_low',
  'changed_geographies',
  'charging_end',
  'charging_start',
  'comms_lost',
  'comms_restored',
  'compliance_pick_up',
  'customer_cancellation',
  'decommissioned',
  'driver_cancellation',
  'fueling_end',
  'fueling_start',
  'located',
  'maintenance',
  'maintenance_end',
  'maintenance_pick_up',
  'not_located',
  'off_hours',
  'on_hours',
  'order_drop_off',
  'order_pick_up',
  'passenger_cancellation',
  'provider_cancellation',
  'provider_drop_off',
  'rebalance_pick_up',
  'recommission',
  'recommissioned',
  'remote_end',
  'remote_start',
  'reservation_cancel',
  'reservation_start',
  'reservation_stop',
  'service_end',
  'service_start',
  'system_resume',
  'system_start',
  'system_suspend',
  'trip_cancel',
  'trip_end',
  'trip_enter_jurisdiction',
  'trip_leave_jurisdiction',
  'trip_pause',
  'trip_resume',
  'trip_start',
  'trip_stop',
  'unspecified',
] as const
export type EventType = (typeof eventTypes)[number]
export const EventType = z.enum(eventTypes)

/** Event types that always start a parking event, because the vehicle was just ridden or delivered there. */
export const arrivalEvents: readonly EventType[] = [
  'trip_end',
  'trip_cancel',
  'agency_drop_off',
  'provider_drop_off',
  'order_drop_off',
]
