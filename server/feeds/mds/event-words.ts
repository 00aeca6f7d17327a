import { type EventType, eventTypes, type VehicleState, vehicleStateNames } from '#contract/vehicle-states.ts'

/** The states and event types of MDS 2.0. */
export const vehicleStateSet: ReadonlySet<VehicleState> = new Set(vehicleStateNames)
export const eventTypeSet: ReadonlySet<EventType> = new Set(eventTypes)

/** Event types that require trip ids. */
const tripEvents: ReadonlySet<string> = new Set([
  'trip_start',
  'trip_end',
  'trip_cancel',
  'trip_enter_jurisdiction',
  'trip_leave_jurisdiction',
])
/** Returns whether an event of these types must name a trip. */
export const needsTrip = (types: readonly string[]): boolean => types.some((type) => tripEvents.has(type))
