import type { FeeProperties, PriceBand, PriceByDuration } from '#contract/policy.ts'
import { formatMoney } from '#web/kit/format.ts'
import { formatTimeWindow } from './clock-text.ts'
import type { PolicyTextContext } from './policy-text-context.ts'

const formatPriceBand = (
  { start_time: start, end_time: end, price }: PriceBand,
  { t, currency, language }: PolicyTextContext,
): string =>
  `${formatTimeWindow(start, end)}: ${t('policies:price.perHour', { price: formatMoney(price, currency, language) })}`

/**
 * Parking duration in minutes, or in hours if that is a whole number, with its price per hour unless the
 * price is a flat one.
 */
function formatDurationPrice(
  { start_duration: from, end_duration: until, price }: PriceByDuration,
  isFlat: boolean,
  { t, currency, language }: PolicyTextContext,
): string {
  const inHours = (until ?? from) >= 60 && from % 60 === 0 && (until ?? 0) % 60 === 0
  const unit = inHours ? 'hours' : 'minutes'
  const inUnit = (minutes: number): number => (inHours ? minutes / 60 : minutes)
  const span =
    until === null
      ? t(`policies:price.longer.${unit}`, { from: inUnit(from) })
      : t(`policies:price.between.${unit}`, { from: inUnit(from), until: inUnit(until) })
  const money = formatMoney(price, currency, language)
  return `${span}: ${isFlat || !price ? money : t('policies:price.perHour', { price: money })}`
}

/** The price tables of a fee, one line per row. */
export function formatPriceLines(
  { prices, prices_by_duration: rows, options }: FeeProperties,
  context: PolicyTextContext,
): string[] {
  const days = Object.entries(prices).flatMap(([day, bands]) =>
    bands.map((band) => `${context.t(`policies:day.${day}`)}, ${formatPriceBand(band, context)}`),
  )
  return [...days, ...rows.map((row) => formatDurationPrice(row, options.duration_mode === 'flat', context))]
}
