import type { FeeProperties, PriceBand, PriceByDuration } from '#contract/policy.ts'
import { formatMoney } from '#web/kit/format.ts'
import { formatTimeWindow } from './clock-text.ts'
import type { PolicyTextContext } from './policy-text-context.ts'

const formatPriceBand = (
  { start_time: start, end_time: end, price }: PriceBand,
  { t, currency, language }: PolicyTextContext,
): string =>
  `${formatTimeWindow(start, end)}: ${t('policies:price.perHour', { price: formatMoney(price, currency, language) })}`

/** Formats a row: `1 to 2 hours: $2.00 per hour`, in hours if both ends are full. Not for flat prices. */
function formatDurationPrice(
  { start_duration: from, end_duration: until, price }: PriceByDuration,
  isFlat: boolean,
  { t, currency, language }: PolicyTextContext,
): string {
  const isInHours = (until ?? from) >= 60 && from % 60 === 0 && (until ?? 0) % 60 === 0
  const unit = isInHours ? 'hours' : 'minutes'
  const toUnit = (minutes: number): number => (isInHours ? minutes / 60 : minutes)
  const span =
    until === null
      ? t(`policies:price.longer.${unit}`, { from: toUnit(from) })
      : t(`policies:price.between.${unit}`, { from: toUnit(from), until: toUnit(until) })
  const money = formatMoney(price, currency, language)
  return `${span}: ${isFlat || !price ? money : t('policies:price.perHour', { price: money })}`
}

/** Formats the price tables of a fee, one line per row. */
export function formatPriceLines(
  { prices, prices_by_duration: rows, options }: FeeProperties,
  context: PolicyTextContext,
): string[] {
  const bandLines = Object.entries(prices).flatMap(([day, bands]) =>
    bands.map((band) => `${context.t(`policies:day.${day}`)}, ${formatPriceBand(band, context)}`),
  )
  return [
    ...bandLines,
    ...rows.map((row) => formatDurationPrice(row, options.duration_mode === 'flat', context)),
  ]
}
