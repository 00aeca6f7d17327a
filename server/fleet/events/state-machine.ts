import type { EventType, VehicleState } from '#contract/vehicle-states.ts'

/**
 * The state machines of MDS: for each event type, the states it leads from and to, as `event: from from > to;
 * from > to`. From the tables of MDS 2.0.2 and 1.2.0 by the Open Mobility Foundation (CC-BY-4.0).
 */
const tables = {
  micromobility: `
    agency_drop_off: missing non_contactable removed > available
    agency_pick_up: available elsewhere missing non_contactable non_operational > removed
    battery_charged: non_operational > available
    battery_low: available > non_operational
    changed_geographies: on_trip > on_trip
    comms_lost: available elsewhere non_operational on_trip removed reserved > non_contactable
    comms_restored: non_contactable > available elsewhere non_operational on_trip removed reserved
    compliance_pick_up: available elsewhere non_operational > removed
    decommissioned: available elsewhere missing non_contactable non_operational > removed
    located: missing > available elsewhere non_operational on_trip removed reserved
    maintenance: available > non_operational; non_operational > available
    maintenance_pick_up: available elsewhere non_operational > removed
    not_located: non_contactable > missing
    off_hours: available > non_operational
    on_hours: non_operational > available
    provider_drop_off: missing non_contactable removed > available
    rebalance_pick_up: available elsewhere non_operational > removed
    reservation_cancel: reserved > available
    reservation_start: available > reserved
    system_resume: non_operational > available
    system_suspend: available > non_operational
    trip_cancel: on_trip > available
    trip_end: on_trip > available
    trip_enter_jurisdiction: elsewhere > on_trip
    trip_leave_jurisdiction: on_trip > elsewhere
    trip_start: available reserved > on_trip
    unspecified: available elsewhere missing non_contactable non_operational > removed; available elsewhere non_operational on_trip removed reserved > non_contactable; available missing non_contactable > non_operational; missing non_contactable > elsewhere on_trip reserved; missing non_contactable non_operational > available; non_contactable > missing
  `,
  'passenger-services': `
    comms_lost: available elsewhere non_operational on_trip removed reserved stopped > non_contactable
    comms_restored: non_contactable > available elsewhere non_operational on_trip removed reserved stopped
    decommissioned: non_operational > removed
    driver_cancellation: reserved stopped > available
    maintenance: non_operational > non_operational
    maintenance_end: non_operational removed > non_operational
    maintenance_pick_up: non_operational > removed
    passenger_cancellation: reserved stopped > available
    provider_cancellation: reserved stopped > available
    recommissioned: removed > non_operational
    reservation_start: available > reserved
    reservation_stop: reserved > stopped
    service_end: available > non_operational
    service_start: non_operational > available
    trip_end: stopped > available
    trip_enter_jurisdiction: elsewhere > available non_operational on_trip reserved
    trip_leave_jurisdiction: available non_operational on_trip reserved > elsewhere
    trip_resume: stopped > on_trip
    trip_start: stopped > on_trip
    trip_stop: on_trip > stopped
  `,
  'car-share': `
    charging_end: stopped > stopped
    charging_start: stopped > stopped
    comms_lost: available elsewhere non_operational on_trip removed reserved stopped > non_contactable
    comms_restored: non_contactable > available elsewhere non_operational on_trip removed reserved stopped
    customer_cancellation: reserved stopped > available
    decommissioned: non_operational > removed
    driver_cancellation: reserved stopped > available
    fueling_end: stopped > stopped
    fueling_start: stopped > stopped
    maintenance: non_operational > removed
    maintenance_end: removed > non_operational
    maintenance_pick_up: non_operational > removed
    provider_cancellation: reserved stopped > available
    recommissioned: removed > non_operational
    remote_end: stopped > stopped
    remote_start: stopped > stopped
    reservation_start: available > reserved
    reservation_stop: reserved > stopped
    service_end: available > non_operational
    service_start: non_operational > available
    trip_end: stopped > available
    trip_enter_jurisdiction: elsewhere > available non_operational on_trip reserved
    trip_leave_jurisdiction: available non_operational on_trip reserved > elsewhere
    trip_resume: stopped > on_trip
    trip_start: stopped > on_trip
    trip_stop: on_trip > stopped
  `,
  'delivery-robots': `
    comms_lost: available elsewhere non_operational on_trip removed reserved stopped > non_contactable
    comms_restored: non_contactable > available elsewhere non_operational on_trip removed reserved stopped
    customer_cancellation: reserved stopped > available
    decommissioned: non_operational > removed
    driver_cancellation: reserved stopped > available
    located: missing > available elsewhere non_operational on_trip removed reserved stopped
    maintenance: non_operational > non_operational
    maintenance_end: non_operational removed > non_operational
    maintenance_pick_up: non_operational > removed
    not_located: non_contactable > missing
    order_drop_off: on_trip > stopped
    order_pick_up: on_trip > stopped
    provider_cancellation: reserved stopped > available
    recommissioned: removed > non_operational
    reservation_start: available > reserved
    reservation_stop: reserved > stopped
    service_end: available > non_operational
    service_start: non_operational > available
    trip_end: stopped > available
    trip_enter_jurisdiction: elsewhere > available non_operational on_trip reserved
    trip_leave_jurisdiction: available non_operational on_trip reserved > elsewhere
    trip_pause: on_trip > stopped
    trip_resume: stopped > on_trip
    trip_start: stopped > on_trip
  `,
  '1.2': `
    agency_drop_off: removed unknown > available
    agency_pick_up: available elsewhere non_operational unknown > removed
    battery_charged: non_operational > available
    battery_low: available > non_operational
    changed_geographies: on_trip > on_trip
    comms_lost: available elsewhere non_operational on_trip removed reserved > unknown
    comms_restored: unknown > available elsewhere non_operational on_trip removed reserved
    compliance_pick_up: available elsewhere non_operational > removed
    decommissioned: available elsewhere non_operational unknown > removed
    located: unknown > available elsewhere non_operational on_trip removed reserved
    maintenance: available > non_operational; non_operational > available
    maintenance_pick_up: available elsewhere non_operational > removed
    missing: available elsewhere non_operational on_trip removed reserved > unknown
    off_hours: available > non_operational
    on_hours: non_operational > available
    provider_drop_off: removed unknown > available
    rebalance_pick_up: available elsewhere non_operational > removed
    reservation_cancel: reserved > available
    reservation_start: available > reserved
    system_resume: non_operational > available
    system_suspend: available > non_operational
    trip_cancel: on_trip > available
    trip_end: on_trip > available
    trip_enter_jurisdiction: elsewhere > on_trip
    trip_leave_jurisdiction: on_trip > elsewhere
    trip_start: available reserved > on_trip
    unspecified: available elsewhere non_operational on_trip removed reserved > unknown; available elsewhere non_operational unknown > removed; available unknown > non_operational; non_operational unknown > available; unknown > elsewhere on_trip reserved
  `,
} as const

/** A mode of MDS 2.0, or MDS 1.2, which has one. */
export type StateMachine = keyof typeof tables

/** Parses a table to transitions, as `from event to`. */
const parseTransitions = (table: string): Set<string> =>
  new Set(
    table
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [event = '', alternatives = ''] = line.trim().split(': ')
        return alternatives.split('; ').flatMap((alternative) => {
          const [from = '', to = ''] = alternative.split(' > ')
          return from
            .split(' ')
            .flatMap((fromState) => to.split(' ').map((toState) => `${fromState} ${event} ${toState}`))
        })
      }),
  )

/** Every legal transition of each machine, as `from event to` in the standard's words. */
export const legalTransitions = Object.fromEntries(
  Object.entries(tables).map(([name, table]) => [name, parseTransitions(table)]),
) as Record<StateMachine, Set<string>>

/** Event types for which the standard has two spellings. */
const canonicalEvents: Partial<Record<EventType, EventType>> = {
  recommission: 'recommissioned',
  system_start: 'service_start',
}
/** MDS 1.2 has one state for lost contact, and its own name for the event. */
const toMds1State = (state: VehicleState): string =>
  state === 'non_contactable' || state === 'missing' ? 'unknown' : state
const toMds1Event = (event: EventType): string => (event === 'not_located' ? 'missing' : event)

/** Returns whether an event may lead from one state to another. */
export function isLegalTransition(
  machine: StateMachine,
  from: VehicleState,
  event: EventType,
  to: VehicleState,
): boolean {
  if (machine === '1.2')
    return legalTransitions[machine].has(`${toMds1State(from)} ${toMds1Event(event)} ${toMds1State(to)}`)
  return legalTransitions[machine].has(`${from} ${canonicalEvents[event] ?? event} ${to}`)
}
