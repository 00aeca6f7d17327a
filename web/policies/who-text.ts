import { VehicleType } from '#contract/mobility.ts'
import { type PolicyFields, type VehicleStateGroup, vehicleStateGroups } from '#contract/policy.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'
import { vehicleTypeName } from '#web/filters/vehicle-type-name.ts'
import type { PolicyTextContext } from './policy-text-context.ts'

export const stateGroups = Object.keys(vehicleStateGroups) as VehicleStateGroup[]

/** Returns the group with exactly these states; null for other lists, which imported policies can have. */
export function groupOfStates(states: readonly VehicleState[] | null): VehicleStateGroup | null {
  const sorted = (list: readonly string[] | null): string =>
    list === null ? 'all' : [...list].toSorted().join()
  return stateGroups.find((group) => sorted(vehicleStateGroups[group]) === sorted(states)) ?? null
}

/** Returns the states of a group; null for all. */
export const statesOfGroup = (group: VehicleStateGroup): VehicleState[] | null => {
  const states: readonly VehicleState[] | null = vehicleStateGroups[group]
  return states === null ? null : [...states]
}

type Who = Pick<PolicyFields, 'operators' | 'vehicle_types' | 'propulsion_types' | 'vehicle_states'>

/** Names of a policy's operators; empty if it applies to all. */
export const formatOperators = (
  { operators }: Pick<Who, 'operators'>,
  { t, operatorName }: PolicyTextContext,
): string => (operators.length ? operators.map(operatorName).join(', ') : t('policies:all.operators'))

/** Whether the list includes every vehicle type; an empty list means all. */
export const isEveryVehicleType = (types: readonly string[]): boolean =>
  types.length === 0 || VehicleType.options.every((type) => types.includes(type))

/** Formats the vehicle types of a policy as text. */
export const formatVehicleTypes = (
  { vehicle_types: types }: Pick<Who, 'vehicle_types'>,
  { t }: PolicyTextContext,
): string =>
  isEveryVehicleType(types) ? t('policies:all.vehicleTypes') : types.map(vehicleTypeName).join(', ')

/** Formats the propulsion types of a policy as text. */
export const formatPropulsionTypes = (
  { propulsion_types: types }: Pick<Who, 'propulsion_types'>,
  { t }: PolicyTextContext,
): string =>
  types.length
    ? types.map((type) => t(`policies:propulsion.${type}`)).join(', ')
    : t('policies:all.propulsion')

/** Formats the name of the group of vehicle states; other lists name each state. */
export function formatVehicleStates(
  { vehicle_states: states }: Pick<Who, 'vehicle_states'>,
  { t }: PolicyTextContext,
): string {
  const group = groupOfStates(states)
  return group
    ? t(`policies:states.${group}`)
    : (states ?? []).map((state) => state.replaceAll('_', ' ')).join(', ')
}
