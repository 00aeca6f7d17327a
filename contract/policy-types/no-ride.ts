import type { PolicyType } from './policy-type.ts'
import { riddenStates } from './mds-states.ts'

/** Prohibits riding in the shapes. */
export const noRide: PolicyType = {
  name: 'no_ride',
  group: 'trip',
  countsBased: false,
  timeframeUnit: 'hours',
  isFee: false,
  place: 'shapes_or_citywide',
  units: [],
  offeredFields: () => ['start_time', 'end_time', 'days', 'messages'],
  requiredFields: () => ({}),
  initialFields: () => ({}),
  measure: () => ({ kind: 'ridden' }),
  mdsRules: ({ policy_name: name }) => [
    { name, rule_type: 'count', rule_units: 'devices', states: riddenStates, maximum: 0 },
  ],
}
