import type { MaxChange, PricingParameters, PricingStep } from '#contract/curb-pricing-parameters.ts'
import type { PricingLimit, Refusal } from '#contract/curb-pricing.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'

/** The parameters that determine the proposal of a row. */
export type RateRule = Pick<
  PricingParameters,
  | 'steps'
  | 'change_unit'
  | 'menu'
  | 'floor'
  | 'ceiling'
  | 'max_change'
  | 'rounding'
  | 'min_days_between'
  | 'min_days'
  | 'min_coverage'
  | 'effective_date'
>

/** What is known about a zone in a time band on a day type. */
export interface CellFacts {
  /** Minor units per hour; null if there is no single rate, with the reason in `refusal`. */
  rate: number | null
  refusal: Refusal | null
  occupancy: number | null
  days: number
  coverage: number | null
  capacity: number | null
  lastChange: LocalDay | null
}

/** A proposed rate with the index of the step that gave it, and the limits that changed or prevented it. */
export interface RateProposal {
  proposed_rate: number | null
  step: number | null
  limits: PricingLimit[]
}

/** Returns the index of the step with an occupancy; -1 if none. Upper bounds are exclusive. */
export const findStep = (steps: readonly PricingStep[], occupancy: number): number =>
  steps.findIndex(({ from, until }) => from <= occupancy && (until === null || occupancy < until))

/** Lists reasons why there is no proposal; empty if there is one. */
function listRefusals(rule: RateRule, facts: CellFacts): Refusal[] {
  const { rate, refusal, occupancy, days, coverage, capacity, lastChange } = facts
  const refusals: Refusal[] = []
  if (rate === null) refusals.push(refusal ?? 'no_rate')
  if (capacity === 0) return [...refusals, 'no_capacity']
  if (occupancy === null) refusals.push('no_occupancy')
  else {
    if (days < rule.min_days) refusals.push('too_few_days')
    if (coverage === null || coverage < rule.min_coverage) refusals.push('low_coverage')
  }
  if (
    rate !== null &&
    rule.min_days_between !== null &&
    lastChange !== null &&
    dayNumber(rule.effective_date) - dayNumber(lastChange) < rule.min_days_between
  )
    refusals.push('interval')
  return refusals
}

/**
 * Computes the rate that a rule proposes. Starts with the current rate plus the change of the step, then
 * moves it between the lowest and the highest rate, limits its distance from the current rate, and finally
 * rounds it toward the current rate to a price that can be set.
 */
export function proposeRate(rule: RateRule, facts: CellFacts): RateProposal {
  const limits: PricingLimit[] = listRefusals(rule, facts)
  const { rate, occupancy } = facts
  const step = occupancy === null ? -1 : findStep(rule.steps, occupancy)
  if (limits.length || rate === null || step < 0)
    return { proposed_rate: null, step: step < 0 ? null : step, limits }
  let price = rate
  const limitTo = (limit: PricingLimit, limitedPrice: number): void => {
    if (limitedPrice === price) return
    price = limitedPrice
    limits.push(limit)
  }
  const change = rule.steps[step]?.change ?? 0
  if (rule.change_unit === 'menu') {
    const { menuPrice, isEnd } = moveAlongMenu(rule.menu, rate, change)
    price = menuPrice
    if (isEnd) limits.push('menu_end')
  } else price = rate + change
  const baseRange = getBaseRange(rule.max_change)
  if (baseRange) limitTo('max_change', Math.min(Math.max(price, baseRange.min), baseRange.max))
  // Without a lowest rate, 0 is the lowest.
  limitTo('floor', Math.max(price, rule.floor ?? 0))
  if (rule.ceiling !== null) limitTo('ceiling', Math.min(price, rule.ceiling))
  const maxChange = getMaxChange(rule.max_change, rate)
  limitTo('max_change', Math.min(Math.max(price, rate - maxChange), rate + maxChange))
  limitTo('rounding', roundTowardCurrent(rule, rate, price))
  return { proposed_rate: price, step, limits: [...new Set(limits)] }
}

/** Returns the price `change` places up or down the menu; its last one, with `isEnd`, if the menu ends. */
function moveAlongMenu(
  menu: readonly number[],
  rate: number,
  change: number,
): { menuPrice: number; isEnd: boolean } {
  const candidates =
    change > 0 ? menu.filter((price) => price > rate) : menu.filter((price) => price < rate).reverse()
  const count = Math.abs(change)
  return { menuPrice: candidates.slice(0, count).at(-1) ?? rate, isEnd: candidates.length < count }
}

/** Shares have at most six decimal digits, so they are whole millionths. */
const shareScale = 1_000_000
/** Returns a share of an amount, computed exactly and rounded down to minor units. */
const takeShare = (share: number, amount: number): number =>
  Number((BigInt(Math.round(share * shareScale)) * BigInt(amount)) / BigInt(shareScale))

/** Returns the range around the base rate in which all rates must stay; null if there is no limit. */
function getBaseRange({ of, share, base_rate: base }: MaxChange): { min: number; max: number } | null {
  if (of !== 'base' || share === null || base === null) return null
  const maxChange = takeShare(share, base)
  return { min: Math.max(0, base - maxChange), max: base + maxChange }
}

/** Returns the largest change from the current rate, in minor units. */
function getMaxChange({ amount, of, share }: MaxChange, rate: number): number {
  const byShare = of === 'current' && share !== null ? takeShare(share, rate) : Infinity
  return Math.min(amount ?? Infinity, byShare)
}

/** Returns the settable price nearest to `price`, between it and the current rate; else the current rate. */
function roundTowardCurrent(
  { change_unit: unit, menu, rounding }: RateRule,
  rate: number,
  price: number,
): number {
  if (price === rate) return rate
  const isUp = price > rate
  if (unit === 'menu') {
    const reachablePrices = menu.filter((candidate) =>
      isUp ? rate < candidate && candidate <= price : price <= candidate && candidate < rate,
    )
    return (isUp ? reachablePrices.at(-1) : reachablePrices[0]) ?? rate
  }
  const multiple = (isUp ? Math.floor(price / rounding) : Math.ceil(price / rounding)) * rounding
  return isUp ? Math.max(rate, multiple) : Math.min(rate, multiple)
}
