import type { VehicleState } from '#contract/vehicle-states.ts'

/** States of a vehicle at rest, without a rider. */
export const atRestStates: readonly VehicleState[] = ['available', 'non_operational', 'reserved']

/** Out of contact for a short time: what the vehicle did before goes on, until it says otherwise. */
export const unreachableState: VehicleState = 'non_contactable'

/** The end of what has not ended: later than any question. */
export const openEndTime = '2299-12-31 00:00:00'
