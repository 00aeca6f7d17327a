import { FeeProperties, type PolicyFields } from '../policy.ts'
import { offeredFields, policyTypeOf } from './list.ts'
import { endDateFrom, sentEndTime, sentStartTime } from './policy-times.ts'

/** A policy as it is sent and stored: what its type does not offer is left out, times and dates as the specification has them (1-product, section 5). */
export function sentPolicy<P extends PolicyFields>(policy: P): P {
  const type = policyTypeOf(policy.policy_type)
  // Of an unknown type, an imported one, everything is kept as it is.
  if (!type) return policy
  const offered = offeredFields(policy)
  const has = <T>(field: string, value: T, without: T): T => (offered.has(field) ? value : without)
  const { fee_properties: fee } = policy
  const unit = has('unit', policy.unit, null)
  return {
    ...policy,
    shape_layer_uuid: has('shape_layer_uuid', policy.shape_layer_uuid, null),
    shape_uuids:
      policy.shape_layer_uuid === 'citywide' ? [] : [...new Set(has('shape_uuids', policy.shape_uuids, []))],
    unit,
    allocation: has('allocation', policy.allocation, null),
    // Only above 0. The minimum of preferred parking is a percentage: it is the one that is no count.
    minimum: has('minimum', policy.minimum, null) || null,
    maximum: type.countsBased || unit !== null ? policy.maximum : null,
    value: has('value', policy.value, null),
    vehicle_states: has('vehicle_states', policy.vehicle_states, null),
    fee_properties: {
      ...FeeProperties.parse({}),
      parking_fee_type: has('parking_fee_type', fee.parking_fee_type, null),
      vehicle_count_method: has('vehicle_count_method', fee.vehicle_count_method, null),
      prices: has(
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
      prices_by_duration: has('prices_by_duration', fee.prices_by_duration, []),
    },
    start_time: has('start_time', sentStartTime(policy.start_time), null),
    end_time: has('end_time', sentEndTime(policy.end_time), null),
    // All seven are the same as none.
    days: has(
      'days',
      new Set(policy.days).size === 7 ? [] : [...new Set(policy.days)].sort((a, b) => a - b),
      [],
    ),
    messages: has(
      'messages',
      Object.fromEntries(Object.entries(policy.messages).filter(([, text]) => text.trim())),
      {},
    ),
    imported_mds: null,
    end_date: endDateFrom(policy.start_date, policy.end_date),
  }
}
