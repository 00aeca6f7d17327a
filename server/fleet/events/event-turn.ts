import type { EventType } from '#contract/vehicle-states.ts'

/**
 * Event types in the order in which they can follow one another within one millisecond: contact, arrival,
 * readiness, hire, end of hire, out of service, removal, loss.
 */
const typesInOrder: readonly (readonly EventType[])[] = [
  ['comms_restored', 'located'],
  [
    'agency_drop_off',
    'provider_drop_off',
    'service_start',
    'system_start',
    'recommission',
    'recommissioned',
    'order_drop_off',
  ],
  [
    'battery_charged',
    'on_hours',
    'system_resume',
    'maintenance_end',
    'charging_end',
    'fueling_end',
    'remote_start',
  ],
  ['reservation_start', 'order_pick_up'],
  ['trip_start', 'trip_resume', 'reservation_stop'],
  ['trip_enter_jurisdiction', 'changed_geographies', 'trip_stop', 'trip_pause', 'trip_leave_jurisdiction'],
  [
    'trip_end',
    'trip_cancel',
    'reservation_cancel',
    'customer_cancellation',
    'driver_cancellation',
    'passenger_cancellation',
    'provider_cancellation',
    'remote_end',
  ],
  [
    'battery_low',
    'off_hours',
    'system_suspend',
    'maintenance',
    'charging_start',
    'fueling_start',
    'service_end',
  ],
  ['unspecified'],
  ['agency_pick_up', 'compliance_pick_up', 'maintenance_pick_up', 'rebalance_pick_up', 'decommissioned'],
  ['comms_lost', 'not_located'],
]
const turnByType = new Map(typesInOrder.flatMap((types, turn) => types.map((type) => [type, turn] as const)))

/** Returns the position of an event among those of its vehicle and millisecond, which feeds do not order. */
export const getEventTurn = (types: readonly EventType[]): number =>
  types[0] ? (turnByType.get(types[0]) ?? typesInOrder.length) : typesInOrder.length
