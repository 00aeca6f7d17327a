import { isAmount } from '../money.ts'
import type { FeeOptions, FeeProperties } from '../policy.ts'
import type { PolicyFaults } from './policy-type.ts'

/** Options that every type of fee offers, and those of fees by quantity. */
export const amountOptions = ['exempt_vehicle_types', 'minimum_amount', 'maximum_amount'] as const
export const quantityOptions = [...amountOptions, 'free_quantity', 'tiers', 'tier_mode'] as const

/** Validation of the options of a fee. */
export function optionFaults({ options }: Pick<FeeProperties, 'options'>, currency: string): PolicyFaults {
  const { tiers, minimum_amount: minimum, maximum_amount: maximum, maximum_per_vehicle_day: perDay } = options
  if (tiers.some(({ from }, at) => at > 0 && from <= (tiers[at - 1]?.from ?? 0)))
    return { fee_options: 'tiers_order' }
  const amounts = [minimum, maximum, perDay, ...tiers.map(({ price }) => price)]
  if (amounts.some((amount) => amount !== null && !isAmount(amount, currency)))
    return { fee_options: 'amount' }
  return minimum !== null && maximum !== null && minimum > maximum
    ? { fee_options: 'minimum_over_maximum' }
    : {}
}

/** The options with those that are not offered at their defaults. */
export const offeredOptions = (
  options: FeeOptions,
  defaults: FeeOptions,
  offered: readonly (keyof FeeOptions)[],
): FeeOptions => ({
  ...defaults,
  ...Object.fromEntries(offered.map((name) => [name, options[name]])),
})
