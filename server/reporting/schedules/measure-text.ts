import { type MeasureKey, measures } from '#contract/metrics.ts'
import type { LocalDay } from '#contract/period.ts'
import { distanceUnit, toDistanceUnit } from '#contract/units.ts'

export const unknownText = 'n/a'

const formatNumber = (value: number, digits: number, locale: string): string =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
    value,
  )

/** Measures that are shown in hours instead of minutes, because their values are large. */
const hourMeasures: readonly MeasureKey[] = ['parked_mean', 'parked_median', 'duration_total']
const getPercentSign = (locale: string): string => (locale.startsWith('en') ? '%' : ' %')

/** Returns the unit of a measure with a leading space; empty for counts. */
function getUnit(key: MeasureKey, isMetric: boolean, locale: string): string {
  switch (measures[key].unit) {
    case 'meters':
      return ` ${distanceUnit(isMetric)}`
    case 'seconds':
      return hourMeasures.includes(key) ? ' h' : ' min'
    case 'vehicle_seconds':
      return ' h'
    case 'meters_per_second':
      return isMetric ? ' km/h' : ' mph'
    case 'share':
      return getPercentSign(locale)
    default:
      return ''
  }
}

/** Returns the unit for the title of a chart, in parentheses; empty for counts. */
export function formatUnitInTitle(key: MeasureKey, isMetric: boolean, locale: string): string {
  const unit = getUnit(key, isMetric, locale).trim()
  return unit ? ` (${unit})` : ''
}

/** Converts a value to the unit in which it is shown. */
export function toShownValue(key: MeasureKey, value: number, isMetric: boolean): number {
  switch (measures[key].unit) {
    case 'share':
      return value * 100
    case 'meters':
      return toDistanceUnit(value, isMetric)
    case 'seconds':
      return value / (hourMeasures.includes(key) ? 3600 : 60)
    case 'vehicle_seconds':
      return value / 3600
    case 'meters_per_second':
      return toDistanceUnit(value * 3600, isMetric)
    default:
      return value
  }
}

/** Returns the number of decimals with which a measure is shown. */
function getDigits(key: MeasureKey): number {
  const { unit } = measures[key]
  if (unit === 'trips' || unit === 'events' || key === 'fleet_max' || key === 'distance_total') return 0
  return unit === 'trips_per_vehicle' || unit === 'meters' ? 2 : 1
}

/** Formats a value of a measure with its unit, in the region's units. */
export const formatMeasure = (
  key: MeasureKey,
  value: number | null,
  isMetric: boolean,
  locale: string,
): string =>
  value === null
    ? unknownText
    : `${formatNumber(toShownValue(key, value, isMetric), getDigits(key), locale)}${getUnit(key, isMetric, locale)}`

/** Formats the change of a value, in percent of the earlier one. */
export function formatChange(value: number | null, earlierValue: number | null, locale: string): string {
  if (value === null || earlierValue === null || earlierValue === 0) return unknownText
  const change = ((value - earlierValue) / earlierValue) * 100
  return `${change > 0 ? '+' : ''}${formatNumber(change, 1, locale)}${getPercentSign(locale)}`
}

/** Formats a share in percent. */
export const formatShare = (share: number | null, locale: string): string =>
  share === null ? unknownText : `${formatNumber(share * 100, 1, locale)}${getPercentSign(locale)}`

/** Formats a day as a label of a chart's axis. */
export const formatDayLabel = (day: LocalDay, locale: string): string =>
  new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(day))
