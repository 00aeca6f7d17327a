import { isAmount } from '#contract/money.ts'
import { citywide, type PolicyFields } from '#contract/policy.ts'
import { offeredFields, findPolicyType } from './list.ts'
import { sentEndTime, sentStartTime } from './policy-times.ts'
import type { FaultField, PolicyFault, PolicyFaults } from './policy-type.ts'

const isNonNegativeInteger = (value: number | null): boolean =>
  value === null || (Number.isSafeInteger(value) && value >= 0)
const hasMinutes = (time: string | null): boolean =>
  time !== null && time !== '23:59:59' && !time.endsWith(':00:00')

/** Returns the value of a form field, which is either in the policy or in its fee properties. */
const getFieldValue = (policy: PolicyFields, field: string): unknown =>
  (
    {
      parking_fee_type: policy.fee_properties.parking_fee_type,
      vehicle_count_method: policy.fee_properties.vehicle_count_method,
    } as Record<string, unknown>
  )[field] ?? (policy as Record<string, unknown>)[field]
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && !value.trim())

/** Returns why a policy cannot be saved, by field, for form and server. `about.currency`: the region's. */
export function validatePolicy(policy: PolicyFields, about: { currency: string }): PolicyFaults {
  const faults: PolicyFaults = {}
  const add = (field: FaultField, fault: PolicyFault): void => {
    faults[field] ??= fault
  }
  if (isEmpty(policy.policy_name)) add('policy_name', 'required')
  const type = findPolicyType(policy.policy_type)
  if (!type) return { ...faults, policy_type: 'required' }

  const mayBeCitywide = type.place === 'shapes_or_citywide'
  if (
    type.place !== 'region' &&
    (isEmpty(policy.shape_layer_uuid) || (policy.shape_layer_uuid === citywide && !mayBeCitywide))
  )
    add('shape_layer_uuid', 'required')
  for (const [field, fault] of Object.entries(type.requiredFields?.(policy) ?? {}) as [
    FaultField,
    PolicyFault,
  ][])
    if (isEmpty(getFieldValue(policy, field))) add(field, fault)

  const offered = offeredFields(policy)
  if (offered.has('unit') && policy.unit !== null && !type.units?.includes(policy.unit))
    add('unit', 'required')
  if (offered.has('value') && policy.value !== null && !isAmount(policy.value, about.currency))
    add('value', 'amount')
  if (offered.has('minimum') && !isNonNegativeInteger(policy.minimum)) add('minimum', 'integer')
  if (offered.has('maximum') && !isNonNegativeInteger(policy.maximum)) add('maximum', 'integer')
  if (
    offered.has('minimum') &&
    offered.has('maximum') &&
    policy.minimum !== null &&
    policy.maximum !== null &&
    policy.minimum > policy.maximum
  )
    add('minimum', 'minimum_over_maximum')
  if (offered.has('start_time')) {
    const start = sentStartTime(policy.start_time)
    const end = sentEndTime(policy.end_time)
    if (type.timeWindowUnit === 'hours' && hasMinutes(start)) add('start_time', 'whole_hours')
    if (type.timeWindowUnit === 'hours' && hasMinutes(end)) add('end_time', 'whole_hours')
    if (start !== null && start === end) add('end_time', 'same_times')
  }
  const typeFaults = type.faults?.(policy, about) ?? {}
  for (const [field, fault] of Object.entries(typeFaults) as [FaultField, PolicyFault][]) add(field, fault)
  return faults
}
