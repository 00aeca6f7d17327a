import { isAmount } from '#contract/money.ts'
import { type FeeOptions, FeeOptions as Options, type FeeProperties } from '#contract/policy.ts'
import type { PolicyFaults, RuleDraft } from './policy-type.ts'

/** Options that every type of fee offers. */
export const amountOptions = ['exempt_vehicle_types', 'minimum_amount', 'maximum_amount'] as const
/** Options of fees for trips and parking events, which have a place. */
export const discountOptions = ['discount_percent', 'discount_layer_uuid', 'discount_shape_uuids'] as const
/** Options of fees for a number of trips or vehicles. */
export const quantityOptions = [...amountOptions, 'free_quantity', 'tiers', 'tier_mode'] as const

/** Finds the fault of the options of a fee, if any. */
export function findOptionFaults(
  { options }: Pick<FeeProperties, 'options'>,
  currency: string,
): PolicyFaults {
  const { tiers, minimum_amount: minimum, maximum_amount: maximum, maximum_per_vehicle_day: perDay } = options
  if (tiers.some(({ from }, index) => index > 0 && from <= (tiers[index - 1]?.from ?? 0)))
    return { fee_options: 'tiers_order' }
  const hasManyDecimals = [options.free_quantity, ...tiers.map(({ from }) => from)].some(
    (quantity) => Number(quantity.toFixed(6)) !== quantity,
  )
  // The tariff engine computes with at most 6 decimals and would refuse the entire policy.
  if (hasManyDecimals) return { fee_options: 'quantity' }
  const amounts = [minimum, maximum, perDay, ...tiers.map(({ price }) => price)]
  if (amounts.some((amount) => amount !== null && !isAmount(amount, currency)))
    return { fee_options: 'amount' }
  const { discount_percent: percent, discount_shape_uuids: shapes } = options
  if (percent > 0 !== shapes.length > 0) return { fee_options: 'discount' }
  if (Number(percent.toFixed(4)) !== percent) return { fee_options: 'discount' }
  return minimum !== null && maximum !== null && minimum > maximum
    ? { fee_options: 'minimum_over_maximum' }
    : {}
}

/** Returns the options of a fee, with defaults for those that its type does not offer. */
export const getOfferedOptions = (
  options: FeeOptions,
  defaults: FeeOptions,
  offered: readonly (keyof FeeOptions)[],
): FeeOptions => ({ ...defaults, ...Object.fromEntries(offered.map((name) => [name, options[name]])) })

/** Returns whether a fee has options that an MDS rate cannot express. */
export const hasOptions = ({ options }: Pick<FeeProperties, 'options'>): boolean =>
  JSON.stringify(Options.parse(options)) !== JSON.stringify(Options.parse({}))

/** Formats an amount, such as 0.15 USD. */
export const priceText = (amount: number | null, currency: string): string => `${amount ?? 0} ${currency}`

/**
 * Returns a rule with a fee as text, for fees that no MDS rate would bill to the cent: MDS has no counting
 * methods, no proportional hours and no marginal bands.
 */
export const writeFeeAsText = (text: string, fee: Pick<FeeProperties, 'options'>): RuleDraft => ({
  name: hasOptions(fee) ? `${text}; with further terms, see the policy` : text,
  rule_type: 'user',
  states: {},
})
