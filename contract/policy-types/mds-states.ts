import type { MdsRule } from '#contract/mds-policy.ts'
import { type VehicleState, vehicleStates } from '#contract/vehicle-states.ts'

type States = NonNullable<MdsRule['states']>

const toMdsStates = (names: readonly VehicleState[]): States =>
  Object.fromEntries(names.map((name) => [name, []]))

const deployed = (Object.keys(vehicleStates) as VehicleState[]).filter(
  (state) => vehicleStates[state].deployed,
)

/** Returns the states that count toward a fleet: the chosen ones, else all in the public right of way. */
export const getFleetStates = (chosen: readonly VehicleState[] | null): States =>
  toMdsStates(chosen ?? deployed)

/**
 * Returns the states that count toward the fleet in a shape: those of `getFleetStates` except trips, because
 * a vehicle on a trip is not counted in any shape (docs/metrics.md, Fleet size).
 */
export const stationaryStates = (chosen: readonly VehicleState[] | null): States =>
  toMdsStates((chosen ?? deployed).filter((state) => state !== 'on_trip' && state !== 'stopped'))

/** States of a parked vehicle. */
export const parkedStates: States = toMdsStates(['available', 'non_operational', 'reserved'])
export const riddenStates: States = toMdsStates(['on_trip'])
