import { findPolicyType } from '#contract/policy-types/list.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { toRatePart } from './mds-rates/rate-part.ts'
import { TariffPart } from './tariff.ts'

/** Returns the price structure of a parking fee, before validation; null if it has no price. */
function readStructure({ value, fee_properties: fee }: PolicyFields): object | null {
  switch (fee.parking_fee_type) {
    case 'variable_price_schedule':
      return { by: 'schedule', prices: fee.prices }
    case 'variable_price_parking_duration':
      return {
        by: 'duration',
        bands: fee.prices_by_duration.map(({ start_duration: start, end_duration: end, price }) => ({
          start,
          end,
          price,
        })),
        mode: fee.options.duration_mode,
        free_after: fee.options.is_free_after,
      }
    case 'fixed_price_per_event':
    case null:
      return value === null ? null : { by: 'event', price: value }
  }
}

/**
 * Returns a fee policy as part of a tariff; null if it is not a fee, or if its prices are not complete. The
 * part does not contain places, days and operators, because they limit the facts and not the prices.
 */
export function toTariffPart(policy: PolicyFields, id: string): TariffPart | null {
  const type = findPolicyType(policy.policy_type)
  if (!type) return toRatePart(policy, id)
  if (!type.isFee) return null
  const { options } = policy.fee_properties
  const common = {
    id,
    name: policy.policy_name || policy.policy_type,
    exempt_vehicle_types: options.exempt_vehicle_types,
    minimum: options.minimum_amount,
    maximum: options.maximum_amount,
  }
  // `areas` is empty because facts in discounted shapes are counted by `fee-days`.
  const discount = options.discount_percent > 0 ? { percent: options.discount_percent, areas: [] } : null
  const prices = {
    price: policy.value,
    free: options.free_quantity,
    tiers: options.tiers,
    tier_mode: options.tier_mode,
  }
  const parkingPart = {
    kind: 'parking',
    ...common,
    discount,
    maximum_per_vehicle_day: options.maximum_per_vehicle_day,
    structure: readStructure(policy),
  }
  const tripPart = {
    kind: 'trips',
    ...common,
    ...prices,
    discount,
    minimum_duration: options.minimum_trip_duration,
    minimum_distance: options.minimum_trip_distance,
  }
  const vehiclePart = {
    kind: 'vehicles',
    ...common,
    ...prices,
    method: policy.fee_properties.vehicle_count_method ?? undefined,
    per: options.price_period,
  }
  const parts: Readonly<Record<string, object>> = { vehicle_fees: vehiclePart, trip_fees: tripPart }
  const parsed = TariffPart.safeParse(parts[policy.policy_type] ?? parkingPart)
  return parsed.success ? parsed.data : null
}
