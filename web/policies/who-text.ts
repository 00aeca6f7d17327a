import { vehicleTypeTexts } from '#contract/mobility.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { groupOfStates } from './state-group.ts'
import type { WordGround } from './word-ground.ts'

type Who = Pick<PolicyFields, 'operators' | 'vehicle_types' | 'propulsion_types' | 'vehicle_states'>

/** Operators of a policy; none is all. */
export const operatorsText = (
  { operators }: Pick<Who, 'operators'>,
  { t, operatorName }: WordGround,
): string => (operators.length ? operators.map(operatorName).join(', ') : t('policies:all.operators'))

export const vehicleTypesText = (
  { vehicle_types: types }: Pick<Who, 'vehicle_types'>,
  { t }: WordGround,
): string =>
  types.length ? types.map((type) => vehicleTypeTexts[type]).join(', ') : t('policies:all.vehicleTypes')

export const propulsionText = (
  { propulsion_types: types }: Pick<Who, 'propulsion_types'>,
  { t }: WordGround,
): string =>
  types.length
    ? types.map((type) => t(`policies:propulsion.${type}`)).join(', ')
    : t('policies:all.propulsion')

/** The group of vehicle states; states that are no group are named one by one. */
export function statesText(
  { vehicle_states: states }: Pick<Who, 'vehicle_states'>,
  { t }: WordGround,
): string {
  const group = groupOfStates(states)
  return group
    ? t(`policies:states.${group}`)
    : (states ?? []).map((state) => state.replaceAll('_', ' ')).join(', ')
}
