import type { FeeProperties, PriceBand, PriceByDuration } from '#contract/policy.ts'
import { formatMoney } from '#web/kit/format.ts'
import { timesText } from './clock-text.ts'
import type { PolicyTextContext } from './policy-text-context.ts'

export const bandText = (
  { start_time: start, end_time: end, price }: PriceBand,
  { t, currency, language }: PolicyTextContext,
): string =>
  `${timesText(start, end)}: ${t('policies:price.perHour', { price: formatMoney(price, currency, language) })}`

export const durationText = (
  { start_duration: from, end_duration: until, price }: PriceByDuration,
  { t, currency, language }: PolicyTextContext,
): string =>
  `${until === null ? t('policies:price.longer', { from }) : t('policies:price.between', { from, until })}: ${formatMoney(price, currency, language)}`

/** The price tables of a fee, one line a row. */
export function priceLines(
  { prices, prices_by_duration: rows }: FeeProperties,
  context: PolicyTextContext,
): string[] {
  const days = Object.entries(prices).flatMap(([day, bands]) =>
    bands.map((band) => `${context.t(`policies:day.${day}`)}, ${bandText(band, context)}`),
  )
  return [...days, ...rows.map((row) => durationText(row, context))]
}
