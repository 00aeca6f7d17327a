import type { TFunction } from 'i18next'
import type { PricingBand, PricingDayType } from '#contract/curb-pricing-parameters.ts'
import type { PricingCell, PricingLimit } from '#contract/curb-pricing.ts'
import { toMajor } from '#contract/money.ts'
import { formatMoney, formatPercent, formatMissing } from '#web/kit/format.ts'
import { toTimeOfDay, formatTimeOfDay } from '#web/kit/time/time-of-day.ts'

/** Formats a rate per hour, given in minor units. */
export const formatRate = (minor: number | null, currency: string): string =>
  minor === null ? formatMissing() : formatMoney(toMajor(minor, currency), currency)

/** Formats a change, given in minor units, with its sign; empty for null. */
export function formatRateChange(change: number | null, currency: string): string {
  if (change === null) return ''
  const amount = formatMoney(toMajor(Math.abs(change), currency), currency)
  return change === 0 ? '0' : `${change > 0 ? '+' : '−'}${amount}`
}

/** Returns the proposed change of a rate, in minor units; null if either rate is unknown. */
export const getRateChange = (row: Pick<PricingCell, 'current_rate' | 'proposed_rate'>): number | null =>
  row.current_rate === null || row.proposed_rate === null ? null : row.proposed_rate - row.current_rate

const translatedKeys = [
  'morning',
  'midday',
  'afternoon',
  'evening',
  'weekend',
  'saturday',
  'weekday',
  'every_day',
  'day',
]
/** Returns the name of a band or day type: translated if a preset has it, else the key. */
export const formatKeyName = (t: TFunction, key: string): string =>
  translatedKeys.includes(key) ? t(`curb:pricing.key.${key}`) : key

export const formatPricingBand = (t: TFunction, band: Pick<PricingBand, 'key' | 'from' | 'until'>): string =>
  `${formatKeyName(t, band.key)}, ${formatTimeOfDay(toTimeOfDay(band.from))}–${formatTimeOfDay(toTimeOfDay(band.until))}`

export const formatDayType = (t: TFunction, { key }: Pick<PricingDayType, 'key'>): string =>
  formatKeyName(t, key)

export const formatLimits = (t: TFunction, limits: readonly PricingLimit[]): string =>
  limits.map((limit) => t(`curb:pricing.limit.${limit}`)).join(', ')

/** Formats the time band and day type of a row or a map. */
export const formatPricingCell = (
  t: TFunction,
  { band, day_type }: Pick<PricingCell, 'band' | 'day_type'>,
): string => `${formatKeyName(t, band)} · ${formatKeyName(t, day_type)}`

/** Formats an occupancy with its kind, and with its interval if it is estimated. */
export function formatOccupancy(
  t: TFunction,
  { occupancy, kind, interval }: Pick<PricingCell, 'occupancy' | 'kind' | 'interval'>,
): string {
  if (occupancy === null || kind === null) return formatMissing()
  const intervalText = interval ? ` (${formatPercent(interval[0])}–${formatPercent(interval[1])})` : ''
  return `${formatPercent(occupancy)}${intervalText} ${t(`curb:pricing.kind.${kind}`)}`
}
