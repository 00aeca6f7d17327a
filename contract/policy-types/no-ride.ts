import type { PolicyType } from './policy-type.ts'
import { riddenStates } from './mds-states.ts'

/** Prohibits riding in the shapes. */
export const noRide: PolicyType = {
  name: 'no_ride',
  group: 'trip',
  hasCountLimits: false,
  timeWindowUnit: 'hours',
  isFee: false,
  place: 'shapes_or_citywide',
  offeredFields: () => ['start_time', 'end_time', 'days', 'messages'],
  measure: () => ({ kind: 'ridden' }),
  mdsRules: ({ policy_name: name }) => [
    { name, rule_type: 'count', rule_units: 'devices', states: riddenStates, maximum: 0 },
  ],
}
