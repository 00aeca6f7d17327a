import { timeUnits } from '#contract/policy.ts'
import type { PolicyType } from './policy-type.ts'
import { parkedStates } from './mds-states.ts'

/** Maximum time that a vehicle may be parked at one place. */
export const parkingTimeLimit: PolicyType = {
  name: 'parking_time_limit',
  group: 'parking',
  hasCountLimits: false,
  isFee: false,
  place: 'shapes_or_citywide',
  units: timeUnits,
  offeredFields: () => ['unit', 'maximum'],
  requiredFields: () => ({ unit: 'required' }),
  initialFields: () => ({ unit: 'hours' }),
  measure: () => ({ kind: 'parked_longer' }),
  mdsRules: ({ policy_name: name, unit, maximum }) => [
    { name, rule_type: 'time', rule_units: unit ?? 'hours', states: parkedStates, maximum },
  ],
}
