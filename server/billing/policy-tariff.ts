import { policyTypeOf } from '#contract/policy-types/list.ts'
import type { PolicyFields } from '#contract/policy.ts'
import { ratePartOf } from './mds-rates/rate-part.ts'
import { TariffPart } from './tariff.ts'

function structureOf({ value, fee_properties: fee }: PolicyFields): object | null {
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
 * The part of a tariff that a fee policy is; null: it is no fee, or its prices are not complete. Places, days and
 * operators are conditions on the facts, not on the prices: they are not in the part.
 */
export function tariffPartOf(policy: PolicyFields, id: string): TariffPart | null {
  const type = policyTypeOf(policy.policy_type)
  if (!type) return ratePartOf(policy, id)
  if (!type.isFee) return null
  const { options } = policy.fee_properties
  const common = {
    id,
    name: policy.policy_name || policy.policy_type,
    exempt_vehicle_types: options.exempt_vehicle_types,
    minimum: options.minimum_amount,
    maximum: options.maximum_amount,
  }
  // Which facts are in the shapes is counted with the facts.
  const discount = options.discount_percent > 0 ? { percent: options.discount_percent, areas: [] } : null
  const priced = {
    price: policy.value,
    free: options.free_quantity,
    tiers: options.tiers,
    tier_mode: options.tier_mode,
  }
  const parsed = TariffPart.safeParse(
    policy.policy_type === 'vehicle_fees'
      ? {
          kind: 'vehicles',
          ...common,
          ...priced,
          method: policy.fee_properties.vehicle_count_method ?? undefined,
          per: options.price_period,
        }
      : policy.policy_type === 'trip_fees'
        ? {
            kind: 'trips',
            ...common,
            ...priced,
            discount,
            minimum_duration: options.minimum_trip_duration,
            minimum_distance: options.minimum_trip_distance,
          }
        : {
            kind: 'parking',
            ...common,
            discount,
            maximum_per_vehicle_day: options.maximum_per_vehicle_day,
            structure: structureOf(policy),
          },
  )
  return parsed.success ? parsed.data : null
}
