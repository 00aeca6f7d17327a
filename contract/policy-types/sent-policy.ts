import { FeeOptions, FeeProperties, type PolicyFields } from '#contract/policy.ts'
import { getOfferedOptions } from './fee-options.ts'
import { offeredFields, findPolicyType } from './list.ts'
import { endDateFrom, sentEndTime, sentStartTime } from './policy-times.ts'

/** Prepares a policy for saving: removes what its type does not offer and normalizes times and dates. */
export function sentPolicy<P extends PolicyFields>(policy: P): P {
  const type = findPolicyType(policy.policy_type)
  // An imported policy of an unknown type is stored unchanged.
  if (!type) return policy
  const offered = offeredFields(policy)
  const ifOffered = <T>(field: string, value: T, fallback: T): T => (offered.has(field) ? value : fallback)
  const { fee_properties: fee } = policy
  const unit = ifOffered('unit', policy.unit, null)
  return {
    ...policy,
    shape_layer_uuid: ifOffered('shape_layer_uuid', policy.shape_layer_uuid, null),
    shape_uuids:
      policy.shape_layer_uuid === 'citywide'
        ? []
        : [...new Set(ifOffered('shape_uuids', policy.shape_uuids, []))],
    unit,
    allocation: ifOffered('allocation', policy.allocation, null),
    // A minimum of 0 has no effect and is stored as none.
    minimum: ifOffered('minimum', policy.minimum, null) || null,
    maximum: type.hasCountLimits || unit !== null ? policy.maximum : null,
    value: ifOffered('value', policy.value, null),
    vehicle_states: ifOffered('vehicle_states', policy.vehicle_states, null),
    fee_properties: {
      ...FeeProperties.parse({}),
      parking_fee_type: ifOffered('parking_fee_type', fee.parking_fee_type, null),
      vehicle_count_method: ifOffered('vehicle_count_method', fee.vehicle_count_method, null),
      prices: ifOffered(
        'prices',
        Object.fromEntries(
          Object.entries(fee.prices).map(([day, bands]) => [
            day,
            bands.map((band) => ({
              ...band,
              start_time: sentStartTime(band.start_time),
              end_time: sentEndTime(band.end_time),
            })),
          ]),
        ),
        {},
      ),
      prices_by_duration: ifOffered('prices_by_duration', fee.prices_by_duration, []),
      options: getOfferedOptions(fee.options, FeeOptions.parse({}), type.feeOptions?.(policy) ?? []),
    },
    start_time: ifOffered('start_time', sentStartTime(policy.start_time), null),
    end_time: ifOffered('end_time', sentEndTime(policy.end_time), null),
    // All seven days mean the same as an empty list.
    days: ifOffered(
      'days',
      new Set(policy.days).size === 7 ? [] : [...new Set(policy.days)].sort((a, b) => a - b),
      [],
    ),
    messages: ifOffered(
      'messages',
      Object.fromEntries(Object.entries(policy.messages).filter(([, text]) => text.trim())),
      {},
    ),
    imported_mds: null,
    end_date: endDateFrom(policy.start_date, policy.end_date),
  }
}
