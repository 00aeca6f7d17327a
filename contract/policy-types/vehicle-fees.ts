import { toMinor } from '../money.ts'
import { optionFaults, quantityOptions } from './fee-options.ts'
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
  feeOptions: () => ['price_period', ...quantityOptions],
  requiredFields: ({ fee_properties: { options } }) => ({
    ...(options.tiers.length ? {} : { value: 'required' }),
    vehicle_count_method: 'required',
  }),
  faults: ({ fee_properties: fee }, { currency }) => optionFaults(fee, currency),
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
