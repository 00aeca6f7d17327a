import { speedUnits } from '#contract/policy.ts'
import type { PolicyType } from './policy-type.ts'
import { riddenStates } from './mds-states.ts'

/** Speed limit in the shapes. */
export const slowRide: PolicyType = {
  name: 'slow_ride',
  group: 'trip',
  hasCountLimits: false,
  timeWindowUnit: 'minutes',
  isFee: false,
  place: 'shapes',
  units: speedUnits,
  offeredFields: () => ['unit', 'maximum', 'start_time', 'end_time', 'days', 'messages'],
  requiredFields: () => ({ unit: 'required' }),
  initialFields: ({ locale }) => ({ unit: locale === 'en-US' ? 'mph' : 'kph' }),
  measure: () => ({ kind: 'speeding' }),
  mdsRules: ({ policy_name: name, unit, maximum }) => [
    { name, rule_type: 'speed', rule_units: unit ?? 'kph', states: riddenStates, maximum },
  ],
}
