import { toMinor } from '#contract/money.ts'
import {
  discountOptions,
  writeFeeAsText,
  hasOptions,
  findOptionFaults,
  priceText,
  quantityOptions,
} from './fee-options.ts'
import type { PolicyType } from './policy-type.ts'

/** Fee that an operator pays for each trip. */
export const tripFees: PolicyType = {
  name: 'trip_fees',
  group: 'trip',
  hasCountLimits: false,
  isFee: true,
  place: 'region',
  offeredFields: () => ['value'],
  feeOptions: () => [
    ...quantityOptions,
    'minimum_trip_duration',
    'minimum_trip_distance',
    ...discountOptions,
  ],
  requiredFields: ({ fee_properties: { options } }) =>
    options.tiers.length ? {} : { value: 'required_silently' },
  faults: ({ fee_properties: fee }, { currency }) => findOptionFaults(fee, currency),
  measure: () => ({ kind: 'fee' }),
  mdsRules: ({ policy_name: name, value, fee_properties: fee }, { currency }) =>
    hasOptions(fee)
      ? [writeFeeAsText(`${priceText(value, currency)} per trip`, fee)]
      : [
          {
            name,
            rule_type: 'count',
            rule_units: 'devices',
            states: { on_trip: ['trip_start'] },
            rate_amount: toMinor(value ?? 0, currency),
            rate_recurrence: 'once_on_match',
            rate_applies_when: 'in_bounds',
          },
        ],
}
