import type { VehicleState } from '#contract/vehicle-states.ts'

/** States of a vehicle at rest, without a rider. */
export const atRestStates: readonly VehicleState[] = ['available', 'non_operational', 'reserved']

/** A vehicle out of contact is in its previous state until it reports another one. */
export const unreachableState: VehicleState = 'non_contactable'

/** The end of open intervals: after the time range of any query. */
export const openEndTime = '2299-12-31 00:00:00'
