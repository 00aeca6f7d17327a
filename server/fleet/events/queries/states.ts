import type { VehicleState } from '#contract/vehicle-states.ts'

/** States of a vehicle at rest, without a rider. */
export const atRestStates: readonly VehicleState[] = ['available', 'non_operational', 'reserved']

/** Briefly out of contact: the previous state continues until another is reported. */
export const unreachableState: VehicleState = 'non_contactable'

/** The end of open intervals: later than any question. */
export const openEndTime = '2299-12-31 00:00:00'
