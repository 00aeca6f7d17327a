import type { TFunction } from 'i18next'
import { type ComplianceMeasure, measureNames } from '#contract/compliance.ts'
import { formatNumber } from '#web/kit/format.ts'

/** Whether a measure is compared with bounds; otherwise each fact is a violation. */
export const isBounded = (measure: ComplianceMeasure): boolean => measureNames[measure].isBounded

/** Formats a measured number with two decimals, so that 12.04 is visibly over 12. */
export const formatMeasuredNumber = (value: number): string => formatNumber(value, 2)

/** Formats a measured value with its unit, such as `120 vehicles` or `12.5 % of the fleet`. */
export const formatMeasuredValue = (t: TFunction, measure: ComplianceMeasure, value: number): string =>
  t(`compliance:measures.${measure}.amount`, { count: value, shown: formatMeasuredNumber(value) })
