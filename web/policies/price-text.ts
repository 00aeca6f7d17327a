import type { FeeProperties, PriceBand, PriceByDuration } from '#contract/policy.ts'
import { formatMoney } from '#web/kit/format.ts'
import { timesText } from './clock-text.ts'
import type { WordGround } from './word-ground.ts'

export const bandText = (
  { start_time: start, end_time: end, price }: PriceBand,
  { t, currency, language }: WordGround,
): string =>
  `${timesText(start, end)}: ${t('policies:price.perHour', { price: formatMoney(price, currency, language) })}`

export const durationText = (
  { start_duration: from, end_duration: until, price }: PriceByDuration,
  { t, currency, language }: WordGround,
): string =>
  `${until === null ? t('policies:price.longer', { from }) : t('policies:price.between', { from, until })}: ${formatMoney(price, currency, language)}`

/** The price tables of a fee, one line a row. */
export function priceLines(
  { prices, prices_by_duration: rows }: FeeProperties,
  ground: WordGround,
): string[] {
  const days = Object.entries(prices).flatMap(([day, bands]) =>
    bands.map((band) => `${ground.t(`policies:day.${day}`)}, ${bandText(band, ground)}`),
  )
  return [...days, ...rows.map((row) => durationText(row, ground))]
}
