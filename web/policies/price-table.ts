import { emptyPriceBand, emptyPriceByDuration } from '#contract/policy-types/change-type.ts'
import { type FeeProperties, PriceDay, type PriceBand, type PriceByDuration } from '#contract/policy.ts'

type Prices = FeeProperties['prices']

/** Days that have a table, in the order in which they are offered: all, weekdays, then each. */
export const dayOrder: readonly PriceDay[] = [
  'all',
  'weekday',
  ...PriceDay.options.filter((day) => day !== 'all' && day !== 'weekday'),
]
export const daysOf = (prices: Prices): PriceDay[] => dayOrder.filter((day) => prices[day]?.length)

const countRows = (prices: Prices): number =>
  daysOf(prices).reduce((sum, day) => sum + (prices[day]?.length ?? 0), 0)
/** A table always keeps at least one row. */
export const mayRemoveBand = (prices: Prices): boolean => countRows(prices) > 1

export const changeBand = (prices: Prices, day: PriceDay, at: number, part: Partial<PriceBand>): Prices => ({
  ...prices,
  [day]: (prices[day] ?? []).map((band, k) => (k === at ? { ...band, ...part } : band)),
})

/** Another row, which begins where the last one ends. */
export const addBand = (prices: Prices, day: PriceDay): Prices => ({
  ...prices,
  [day]: [...(prices[day] ?? []), { ...emptyPriceBand, start_time: prices[day]?.at(-1)?.end_time ?? null }],
})

/** Without a row; a day without rows is gone. */
export function removeBand(prices: Prices, day: PriceDay, at: number): Prices {
  if (!mayRemoveBand(prices)) return prices
  const left = (prices[day] ?? []).filter((_, k) => k !== at)
  const others: Prices = { ...prices }
  delete others[day]
  return left.length ? { ...others, [day]: left } : others
}

/** The rows of a day for another one. */
export function moveDay(prices: Prices, from: PriceDay, to: PriceDay): Prices {
  const bands = prices[from]
  if (from === to || !bands || prices[to]?.length) return prices
  const others: Prices = { ...prices }
  delete others[from]
  return { ...others, [to]: bands }
}

export const mayRemoveDuration = (rows: readonly PriceByDuration[]): boolean => rows.length > 1
export const changeDuration = (
  rows: readonly PriceByDuration[],
  at: number,
  part: Partial<PriceByDuration>,
): PriceByDuration[] => rows.map((row, k) => (k === at ? { ...row, ...part } : row))

/** Another row, which begins where the last one ends. */
export const addDuration = (rows: readonly PriceByDuration[]): PriceByDuration[] => [
  ...rows,
  { ...emptyPriceByDuration, start_duration: rows.at(-1)?.end_duration ?? rows.at(-1)?.start_duration ?? 0 },
]
export const removeDuration = (rows: readonly PriceByDuration[], at: number): PriceByDuration[] =>
  mayRemoveDuration(rows) ? rows.filter((_, k) => k !== at) : [...rows]
