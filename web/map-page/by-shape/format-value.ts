import i18next from 'i18next'
import {
  formatExact,
  formatNumber,
  isMissing,
  formatMissing,
  toMarginUnit,
  type MaybeNumber,
} from '#web/kit/format.ts'
import type { Compared, ShownUnit } from './evaluation.ts'

/** Whether values in this unit are counts, which are integers. */
export const isCountUnit = (unit: ShownUnit): boolean => unit === 'trips' || unit === 'events'

/** Formats a value in its unit: counts as integers, other values with one decimal. */
export const formatValue = (value: MaybeNumber, unit: ShownUnit): string =>
  formatNumber(value, isCountUnit(unit) ? 0 : 1)

/** Formats a limit of a bin; `digits` is its number of decimals unless values are counts (`computeLimitDigits`). */
export const formatLimit = (value: number, unit: ShownUnit, digits = 1): string =>
  isCountUnit(unit) || digits <= 1 ? formatValue(value, unit) : formatExact(value, digits)

/** Returns the unit after a formatted value, singular if that reads 1 (`1 trip`); empty for a missing value. */
export function unitAfter(
  value: MaybeNumber,
  unit: ShownUnit,
  unitText: string,
  unitSingular: string,
): string {
  if (isMissing(value)) return ''
  return formatValue(value, unit) === formatNumber(1) ? unitSingular : unitText
}

/** Formats a change with its sign. Changes that would read 0 are shown as 0.1, like values (`formatNumber`). */
export function formatChange(value: MaybeNumber, digits: number): string {
  if (isMissing(value)) return formatMissing()
  const isTiny = digits <= 1 && value !== 0 && Math.abs(value) < 0.1
  return new Intl.NumberFormat(i18next.language ?? 'en-US', {
    maximumFractionDigits: isTiny ? 1 : digits,
    signDisplay: 'exceptZero',
  }).format(isTiny ? Math.sign(value) * 0.1 : value)
}

/** Formats a change with its share: `+10 (+50%)`. */
export const formatChangeWithPercent = ({ change, percent }: Compared, unit: ShownUnit): string => {
  const text = formatChange(change, isCountUnit(unit) ? 0 : 1)
  return isMissing(percent) ? text : `${text} (${formatChange(percent, 1)}%)`
}

/** Formats the buffer around a boundary in the unit of the region: `50 m`, `165 ft`. */
export const formatMargin = (meters: number, isMetric: boolean): string =>
  i18next.t(isMetric ? 'evaluation:meters' : 'evaluation:feet', { count: toMarginUnit(meters, isMetric) })
