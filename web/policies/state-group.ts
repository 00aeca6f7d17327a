import { type VehicleStateGroup, vehicleStateGroups } from '#contract/policy.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'

export const stateGroups = Object.keys(vehicleStateGroups) as VehicleStateGroup[]

/** The group that a list of states is; null: it is none of the groups, as of imported policies. */
export function groupOfStates(states: readonly VehicleState[] | null): VehicleStateGroup | null {
  const sorted = (list: readonly string[] | null): string =>
    list === null ? 'all' : [...list].toSorted().join()
  return stateGroups.find((group) => sorted(vehicleStateGroups[group]) === sorted(states)) ?? null
}

/** The states of a group; null is all. */
export const statesOfGroup = (group: VehicleStateGroup): VehicleState[] | null => {
  const states: readonly VehicleState[] | null = vehicleStateGroups[group]
  return states === null ? null : [...states]
}
