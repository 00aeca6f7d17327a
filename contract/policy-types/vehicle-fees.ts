import { toMinor } from '../money.ts'
import type { PolicyType } from './policy-type.ts'
import { fleetStates } from './mds-states.ts'

/** Fee of the operator for each vehicle and day. */
export const vehicleFees: PolicyType = {
  name: 'vehicle_fees',
  group: 'vehicle',
  countsBased: false,
  timeframeUnit: 'days',
  isFee: true,
  place: 'region',
  units: [],
  offeredFields: () => ['value', 'vehicle_count_method', 'vehicle_states'],
  requiredFields: () => ({ value: 'required', vehicle_count_method: 'required' }),
  initialFields: () => ({}),
  measure: () => ({ kind: 'fee' }),
  mdsRules: ({ policy_name: name, value, vehicle_states: states }, { currency }) => [
    {
      name,
      rule_type: 'time',
      rule_units: 'days',
      states: fleetStates(states),
      rate_amount: toMinor(value ?? 0, currency),
      rate_recurrence: 'each_time_unit',
      rate_applies_when: 'in_bounds',
    },
  ],
}
