import { FeeProperties, type ParkingFeeType, type PolicyFields } from '#contract/policy.ts'
import { findPolicyType } from './list.ts'

/** Empty rows to start a price table with, because a table needs at least one row. */
export const emptyPriceBand = { start_time: null, end_time: null, price: null }
export const emptyPriceByDuration = { start_duration: 0, end_duration: null, price: null }

/** Changes the price structure of a parking fee: clears both tables and starts the chosen one with a row. */
export function changePriceStructure<P extends PolicyFields>(policy: P, structure: ParkingFeeType | null): P {
  const fee = {
    ...policy.fee_properties,
    parking_fee_type: structure,
    prices: structure === 'variable_price_schedule' ? { all: [emptyPriceBand] } : {},
    prices_by_duration: structure === 'variable_price_parking_duration' ? [emptyPriceByDuration] : [],
  }
  return clearUnofferedTimes({ ...policy, fee_properties: fee })
}

/** Changes the type of a policy and resets the fields of the previous type. */
export function changeType<P extends PolicyFields>(policy: P, name: string, about: { locale: string }): P {
  const type = findPolicyType(name)
  const { unit = null, parking_fee_type: structure = null } = type?.initialFields?.(about) ?? {}
  return clearUnofferedTimes({
    ...policy,
    policy_type: name,
    minimum: null,
    maximum: null,
    unit,
    allocation: name === 'distribution' ? policy.allocation : null,
    fee_properties: {
      ...FeeProperties.parse({}),
      vehicle_count_method: policy.fee_properties.vehicle_count_method,
      parking_fee_type: structure,
    },
  })
}

/** Clears times and days if the type, or the price structure, does not offer them. */
function clearUnofferedTimes<P extends PolicyFields>(policy: P): P {
  const offered = findPolicyType(policy.policy_type)?.offeredFields(policy) ?? []
  return offered.includes('days') ? policy : { ...policy, start_time: null, end_time: null, days: [] }
}
