import type { TFunction } from 'i18next'
import { type ComplianceMeasure, measureNames } from '#contract/compliance.ts'
import { formatNumber } from '#web/kit/format.ts'

/** Whether a measure has bounds; of others each fact found is a violation. */
export const isBounded = (measure: ComplianceMeasure): boolean => measureNames[measure].isBounded

/** A number of a measure: to two digits, so that 12.04 over 12 is seen to be over. */
export const measureNumber = (value: number): string => formatNumber(value, 2)

/** A measured value with its unit: `120 vehicles`, `12.5 % of the fleet`. */
export const measuredText = (t: TFunction, measure: ComplianceMeasure, value: number): string =>
  t(`compliance:measures.${measure}.amount`, { count: value, shown: measureNumber(value) })
