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

/** Units of counts: their values are integers. */
export const isWhole = (unit: ShownUnit): boolean => unit === 'trips' || unit === 'events'

/** Formats a value in its unit: counts as integers, other values with one decimal. */
export const formatValue = (value: MaybeNumber, unit: ShownUnit): string =>
  formatNumber(value, isWhole(unit) ? 0 : 1)

/** A limit of a bin in its unit: `digits` is the number of decimals if values are not counts (`limitDigits`). */
export const formatLimit = (value: number, unit: ShownUnit, digits = 1): string =>
  isWhole(unit) || digits <= 1 ? formatValue(value, unit) : formatExact(value, digits)

/** Returns the unit after a formatted value, singular if that reads 1: `1 trip`, `2 trips`. */
export const unitAfter = (
  value: MaybeNumber,
  unit: ShownUnit,
  unitText: string,
  unitSingular: string,
): string => (isMissing(value) ? '' : formatValue(value, unit) === formatNumber(1) ? unitSingular : unitText)

/**
 * A change with its sign; with up to one decimal, it is shown as 0.1 between 0 and 0.1, like values
 * (`formatNumber`).
 */
export function formatChange(value: MaybeNumber, digits: number): string {
  if (isMissing(value)) return formatMissing()
  const shown = digits <= 1 && value !== 0 && Math.abs(value) < 0.1 ? Math.sign(value) * 0.1 : value
  return new Intl.NumberFormat(i18next.language ?? 'en-US', {
    maximumFractionDigits: shown === value ? digits : Math.max(1, digits),
    signDisplay: 'exceptZero',
  }).format(shown)
}

/** Formats a change with its share: `+10 (+50%)`. */
export const formatChangeWithPercent = ({ change, percent }: Compared, unit: ShownUnit): string => {
  const text = formatChange(change, isWhole(unit) ? 0 : 1)
  return isMissing(percent) ? text : `${text} (${formatChange(percent, 1)}%)`
}

/** Formats the buffer around a boundary in the unit of the region: `50 m`, `165 ft`. */
export const formatMargin = (meters: number, isMetric: boolean): string =>
  i18next.t(isMetric ? 'evaluation:meters' : 'evaluation:feet', { count: toMarginUnit(meters, isMetric) })
