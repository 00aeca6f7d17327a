import { feeAsText, optionFaults, priceText, quantityOptions } from './fee-options.ts'
import type { PolicyType } from './policy-type.ts'

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
  // An MDS rate for each day would bill every vehicle that was there at all, whatever the counting method.
  mdsRules: ({ value, fee_properties: fee }, { currency }) => [
    feeAsText(
      `${priceText(value, currency)} per vehicle and ${fee.options.price_period}, fleet counted by ${fee.vehicle_count_method ?? 'avg'}`,
      fee,
    ),
  ],
}
