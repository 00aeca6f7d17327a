import type { MaxChange, PricingParameters, PricingStep } from '#contract/curb-pricing-parameters.ts'
import type { PricingLimit, Refusal } from '#contract/curb-pricing.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'

/** The parameters that decide about one row. */
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

/** What is known of one zone, time band and day type. */
export interface RateFacts {
  /** Minor units per hour; null with the reason in `refusal`. */
  rate: number | null
  refusal: Refusal | null
  occupancy: number | null
  days: number
  coverage: number | null
  capacity: number | null
  lastChange: LocalDay | null
}

export interface RateProposal {
  proposed_rate: number | null
  step: number | null
  limits: PricingLimit[]
}

/** Index of the step of an occupancy: lower bounds are included, upper bounds are not. */
export const stepOf = (steps: readonly PricingStep[], occupancy: number): number =>
  steps.findIndex(({ from, until }) => from <= occupancy && (until === null || occupancy < until))

/** Why there is no proposal; empty: there is one. */
function refusalsOf(rule: RateRule, facts: RateFacts): Refusal[] {
  const { rate, refusal, occupancy, days, coverage, capacity, lastChange } = facts
  const found: Refusal[] = []
  if (rate === null) found.push(refusal ?? 'no_rate')
  if (capacity === 0) return [...found, 'no_capacity']
  if (occupancy === null) found.push('no_occupancy')
  else {
    if (days < rule.min_days) found.push('too_few_days')
    if (coverage === null || coverage < rule.min_coverage) found.push('low_coverage')
  }
  if (
    rate !== null &&
    rule.min_days_between !== null &&
    lastChange !== null &&
    dayNumber(rule.effective_date) - dayNumber(lastChange) < rule.min_days_between
  )
    found.push('interval')
  return found
}

/**
 * The rate that a rule proposes. The current rate plus the change of the step is moved into the lowest and highest
 * rate, then limited by the largest change, then moved toward the current rate to a price that can be set.
 */
export function proposeRate(rule: RateRule, facts: RateFacts): RateProposal {
  const limits: PricingLimit[] = refusalsOf(rule, facts)
  const { rate, occupancy } = facts
  const step = occupancy === null ? -1 : stepOf(rule.steps, occupancy)
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
    const { next, isEnd } = alongMenu(rule.menu, rate, change)
    price = next
    if (isEnd) limits.push('menu_end')
  } else price = rate + change
  const base = baseRange(rule.max_change)
  if (base) limitTo('max_change', Math.min(Math.max(price, base.low), base.high))
  // A price below 0 is limited even without a lowest rate.
  limitTo('floor', Math.max(price, rule.floor ?? 0))
  if (rule.ceiling !== null) limitTo('ceiling', Math.min(price, rule.ceiling))
  const most = maxStep(rule.max_change, rate)
  limitTo('max_change', Math.min(Math.max(price, rate - most), rate + most))
  limitTo('rounding', towards(rule, rate, price))
  return { proposed_rate: price, step, limits: [...new Set(limits)] }
}

/** So many prices of the menu up or down. */
function alongMenu(menu: readonly number[], rate: number, change: number): { next: number; isEnd: boolean } {
  const beyond =
    change > 0 ? menu.filter((price) => price > rate) : menu.filter((price) => price < rate).reverse()
  const count = Math.abs(change)
  return { next: beyond.slice(0, count).at(-1) ?? rate, isEnd: beyond.length < count }
}

/** Shares have at most six decimal digits. */
const shareDigits = 1_000_000
/** A share of an amount, exactly, rounded down to minor units. */
const shareOf = (share: number, amount: number): number =>
  Number((BigInt(Math.round(share * shareDigits)) * BigInt(amount)) / BigInt(shareDigits))

/** Between which rates all changes remain; null: no limit. */
function baseRange({ of, share, base_rate: base }: MaxChange): { low: number; high: number } | null {
  if (of !== 'base' || share === null || base === null) return null
  const most = shareOf(share, base)
  return { low: Math.max(0, base - most), high: base + most }
}

function maxStep({ amount, of, share }: MaxChange, rate: number): number {
  const byShare = of === 'current' && share !== null ? shareOf(share, rate) : Infinity
  return Math.min(amount ?? Infinity, byShare)
}

/** The price nearest to `price` between it and the current rate that can be set; the current rate if there is none. */
function towards({ change_unit: unit, menu, rounding }: RateRule, rate: number, price: number): number {
  if (price === rate) return rate
  const isUp = price > rate
  if (unit === 'menu') {
    const between = menu.filter((each) =>
      isUp ? rate < each && each <= price : price <= each && each < rate,
    )
    return (isUp ? between.at(-1) : between[0]) ?? rate
  }
  const multiple = (isUp ? Math.floor(price / rounding) : Math.ceil(price / rounding)) * rounding
  return isUp ? Math.max(rate, multiple) : Math.min(rate, multiple)
}
