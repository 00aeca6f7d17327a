import { type MdsDay, mdsDays, type MdsRule } from '#contract/mds-policy.ts'
import { type Policy, propulsionTypes, type PropulsionType } from '#contract/policy.ts'
import { importedRules } from './imported-rules.ts'
import { findPolicyType } from './list.ts'
import { sentEndTime, sentStartTime } from './policy-times.ts'
import type { RuleScope } from './policy-type.ts'
import type { VehicleType } from '#contract/mobility.ts'

/** Vehicle types of MDS by vehicle type. */
const mdsTypes: Record<VehicleType, readonly string[]> = {
  bicycle: ['bicycle'],
  pedal_bicycle: ['bicycle'],
  car: ['car'],
  moped: ['moped'],
  scooter: ['scooter_standing', 'scooter_seated'],
  scooter_standing: ['scooter_standing'],
  scooter_seated: ['scooter_seated'],
  delivery_robot: ['delivery_robot'],
  other: ['other'],
}

/** Returns a vehicle type's propulsion types: those of its bicycle type, or all without pedals. */
function getPropulsionTypes(type: VehicleType): readonly PropulsionType[] {
  if (type === 'bicycle') return ['electric_assist', 'electric']
  if (type === 'pedal_bicycle') return ['human']
  return propulsionTypes.filter((drive) => drive !== 'human' && drive !== 'electric_assist')
}

/** Returns the vehicle and propulsion types of a policy in MDS 2.0; omitted if they are not limited. */
export function toMdsVehicles(
  types: readonly VehicleType[],
  chosenPropulsion: readonly PropulsionType[],
): { vehicle_types?: string[]; propulsion_types?: string[] } {
  const vehicleTypes = [...new Set(types.flatMap((type) => mdsTypes[type]))]
  // Both bicycle types are `bicycle` in MDS. If only one is meant, its propulsion types distinguish it.
  const bicycles = types.filter((type) => type === 'bicycle' || type === 'pedal_bicycle')
  const typePropulsion =
    bicycles.length === 1
      ? propulsionTypes.filter((drive) => types.some((type) => getPropulsionTypes(type).includes(drive)))
      : []
  const common = chosenPropulsion.filter((drive) => typePropulsion.includes(drive))
  // The narrower of both limits counts; if they contradict each other, the chosen one.
  const isNarrowed = common.length > 0
  const propulsion = isNarrowed ? common : chosenPropulsion.length ? chosenPropulsion : typePropulsion
  return {
    ...(vehicleTypes.length ? { vehicle_types: vehicleTypes } : {}),
    ...(propulsion.length ? { propulsion_types: [...propulsion] } : {}),
  }
}

/**
 * Returns the stable id of the rule at an index: the id of the revision with its last 32 bits changed by the
 * index, marked as UUID version 8 (custom, RFC 9562). The factor is 2^32 divided by the golden ratio, which
 * spreads small numbers.
 */
export function ruleId(policyId: string, index: number): string {
  const last = (Number.parseInt(policyId.slice(-8), 16) ^ Math.imul(index + 1, 0x9e3779b1)) >>> 0
  return `${policyId.slice(0, 14)}8${policyId.slice(15, -8)}${last.toString(16).padStart(8, '0')}`
}

/** Converts ISO weekdays to days of MDS, from Sunday; empty means every day. */
const toMdsDays = (days: readonly number[]): MdsDay[] =>
  mdsDays.filter((_, index) => days.includes(index === 0 ? 7 : index))

/** Omits null values: the official schema refuses some of them (SOURCES.md, defect 9). */
const omitNulls = (rule: MdsRule): MdsRule =>
  Object.fromEntries(
    Object.entries(rule).filter(([, value]) => value !== null && value !== undefined),
  ) as MdsRule

/** Returns the rules of a policy in MDS 2.0. For a policy of an unknown type these are its imported rules. */
export function mdsRules(policy: Policy, scope: RuleScope): MdsRule[] {
  const type = findPolicyType(policy.policy_type)
  if (!type && policy.imported_mds)
    return importedRules(policy.imported_mds, scope).map((rule, index) =>
      omitNulls({ ...rule, rule_id: ruleId(policy.policy_uuid, index) }),
    )
  const start = sentStartTime(policy.start_time)
  const end = sentEndTime(policy.end_time)
  const days = toMdsDays(policy.days)
  const common = {
    geographies: scope.geographies.map(({ geography_id: id }) => id),
    ...toMdsVehicles(policy.vehicle_types, policy.propulsion_types),
    ...(start === null && end === null
      ? {}
      : { start_time: start ?? '00:00:00', end_time: end ?? '23:59:59' }),
    ...(days.length ? { days } : {}),
    ...(Object.keys(policy.messages).length ? { messages: policy.messages } : {}),
  }
  return (type?.mdsRules(policy, scope) ?? []).map((draft, index) =>
    omitNulls({
      ...common,
      ...draft,
      name: draft.name.slice(0, 255),
      rule_id: ruleId(policy.policy_uuid, index),
    }),
  )
}
