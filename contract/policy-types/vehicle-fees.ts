import { writeFeeAsText, findOptionFaults, priceText, quantityOptions } from './fee-options.ts'
import type { PolicyType } from './policy-type.ts'

/** Fee that an operator pays for each vehicle and day. */
export const vehicleFees: PolicyType = {
  name: 'vehicle_fees',
  group: 'vehicle',
  hasCountLimits: false,
  isFee: true,
  place: 'region',
  offeredFields: () => ['value', 'vehicle_count_method', 'vehicle_states'],
  feeOptions: () => ['price_period', ...quantityOptions],
  requiredFields: ({ fee_properties: { options } }) => ({
    ...(options.tiers.length ? {} : { value: 'required' }),
    vehicle_count_method: 'required',
  }),
  faults: ({ fee_properties: fee }, { currency }) => findOptionFaults(fee, currency),
  measure: () => ({ kind: 'fee' }),
  // A daily MDS rate would bill every vehicle that was present at any time, regardless of the counting
  // method.
  mdsRules: ({ value, fee_properties: fee }, { currency }) => [
    writeFeeAsText(
      `${priceText(value, currency)} per vehicle and ${fee.options.price_period}, fleet counted by ${fee.vehicle_count_method ?? 'avg'}`,
      fee,
    ),
  ],
}
