import { emptyPriceBand, emptyPriceByDuration } from '#contract/policy-types/change-type.ts'
import { type FeeProperties, PriceDay, type PriceBand, type PriceByDuration } from '#contract/policy.ts'

type Prices = FeeProperties['prices']

/** Days that can have a table, in the order of the selector: all, weekdays, then single days. */
export const dayOrder: readonly PriceDay[] = [
  'all',
  'weekday',
  ...PriceDay.options.filter((day) => day !== 'all' && day !== 'weekday'),
]
/** Returns the days that have prices, in display order. */
export const pricedDays = (prices: Prices): PriceDay[] => dayOrder.filter((day) => prices[day]?.length)

const countRows = (prices: Prices): number =>
  pricedDays(prices).reduce((sum, day) => sum + (prices[day]?.length ?? 0), 0)
/** Whether a row can be removed: at least one must remain. */
export const canRemoveBand = (prices: Prices): boolean => countRows(prices) > 1

/** Returns the next row: it starts where the last one ends. */
export const nextBand = (bands: readonly PriceBand[]): PriceBand => ({
  ...emptyPriceBand,
  start_time: bands.at(-1)?.end_time ?? null,
})

/** Replaces the rows of a day; a day without rows is removed. */
export function setBands(prices: Prices, day: PriceDay, bands: PriceBand[]): Prices {
  const otherPrices: Prices = { ...prices }
  delete otherPrices[day]
  return bands.length ? { ...otherPrices, [day]: bands } : otherPrices
}

/** Moves the rows of a day to another day. */
export function moveDay(prices: Prices, from: PriceDay, to: PriceDay): Prices {
  const bands = prices[from]
  if (from === to || !bands || prices[to]?.length) return prices
  const otherPrices: Prices = { ...prices }
  delete otherPrices[from]
  return { ...otherPrices, [to]: bands }
}

/** Returns the next row: it starts where the last one ends. */
export const nextDuration = (rows: readonly PriceByDuration[]): PriceByDuration => ({
  ...emptyPriceByDuration,
  start_duration: rows.at(-1)?.end_duration ?? rows.at(-1)?.start_duration ?? 0,
})
