import type { PolicyType } from './policy-type.ts'
import { getFleetStates } from './mds-states.ts'

/** Minimum or maximum number of vehicles of an operator in the region. */
export const vehicleCap: PolicyType = {
  name: 'vehicle_cap',
  group: 'vehicle',
  hasCountLimits: true,
  isFee: false,
  place: 'region',
  offeredFields: () => ['minimum', 'maximum', 'vehicle_count_method', 'vehicle_states'],
  measure: ({ fee_properties: { vehicle_count_method: method } }) => ({
    kind: 'fleet',
    method: method ?? 'max',
  }),
  mdsRules: (policy) => [
    {
      name: policy.policy_name,
      rule_type: 'count',
      rule_units: 'devices',
      states: getFleetStates(policy.vehicle_states),
      minimum: policy.minimum,
      maximum: policy.maximum,
    },
  ],
}
