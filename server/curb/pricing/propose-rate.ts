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
export interface CellData {
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

/** Finds the step that contains an occupancy. Lower bounds are inclusive, upper bounds exclusive. */
export const findStep = (steps: readonly PricingStep[], occupancy: number): number =>
  steps.findIndex(({ from, until }) => from <= occupancy && (until === null || occupancy < until))

/** Lists reasons why there is no proposal; empty if there is one. */
function listRefusals(rule: RateRule, data: CellData): Refusal[] {
  const { rate, refusal, occupancy, days, coverage, capacity, lastChange } = data
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
export function proposeRate(rule: RateRule, data: CellData): RateProposal {
  const limits: PricingLimit[] = listRefusals(rule, data)
  const { rate, occupancy } = data
  const step = occupancy === null ? -1 : findStep(rule.steps, occupancy)
  if (limits.length || rate === null || step < 0)
    return { proposed_rate: null, step: step < 0 ? null : step, limits }
  let price = rate
  const limitTo = (limit: PricingLimit, next: number): void => {
    if (next === price) return
    price = next
    limits.push(limit)
  }
  const change = rule.steps[step]?.change ?? 0
  if (rule.change_unit === 'menu') {
    const { next, isEnd } = moveAlongMenu(rule.menu, rate, change)
    price = next
    if (isEnd) limits.push('menu_end')
  } else price = rate + change
  const base = getBaseRange(rule.max_change)
  if (base) limitTo('max_change', Math.min(Math.max(price, base.low), base.high))
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
): { next: number; isEnd: boolean } {
  const candidates =
    change > 0 ? menu.filter((price) => price > rate) : menu.filter((price) => price < rate).reverse()
  const count = Math.abs(change)
  return { next: candidates.slice(0, count).at(-1) ?? rate, isEnd: candidates.length < count }
}

/** Shares have at most six decimal digits, so they are whole millionths. */
const shareScale = 1_000_000
/** Returns a share of an amount, computed exactly and rounded down to minor units. */
const takeShare = (share: number, amount: number): number =>
  Number((BigInt(Math.round(share * shareScale)) * BigInt(amount)) / BigInt(shareScale))

/** Returns the range around the base rate in which all rates must stay; null if there is no limit. */
function getBaseRange({ of, share, base_rate: base }: MaxChange): { low: number; high: number } | null {
  if (of !== 'base' || share === null || base === null) return null
  const maxChange = takeShare(share, base)
  return { low: Math.max(0, base - maxChange), high: base + maxChange }
}

/** Returns the largest change from the current rate, in minor units. */
function getMaxChange({ amount, of, share }: MaxChange, rate: number): number {
  const byShare = of === 'current' && share !== null ? takeShare(share, rate) : Infinity
  return Math.min(amount ?? Infinity, byShare)
}

/**
 * Returns the price that can be set nearest to `price`, between `price` and the current rate; the current
 * rate if there is none.
 */
function roundTowardCurrent(
  { change_unit: unit, menu, rounding }: RateRule,
  rate: number,
  price: number,
): number {
  if (price === rate) return rate
  const isUp = price > rate
  if (unit === 'menu') {
    const between = menu.filter((candidate) =>
      isUp ? rate < candidate && candidate <= price : price <= candidate && candidate < rate,
    )
    return (isUp ? between.at(-1) : between[0]) ?? rate
  }
  const multiple = (isUp ? Math.floor(price / rounding) : Math.ceil(price / rounding)) * rounding
  return isUp ? Math.max(rate, multiple) : Math.min(rate, multiple)
}
