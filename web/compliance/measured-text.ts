import type { TFunction } from 'i18next'
import type { ComplianceMeasure } from '#contract/compliance.ts'
import { formatNumber } from '#web/kit/format.ts'

/** Measures that have bounds; of the others each one found is a violation. */
const bounded: readonly ComplianceMeasure[] = [
  'vehicles',
  'percent_of_fleet',
  'drop_offs',
  'trips_per_vehicle',
  'percent_of_parking',
]

export const isBounded = (measure: ComplianceMeasure): boolean => bounded.includes(measure)

/** A number of a measure: to two digits, so that 12.04 over 12 is seen to be over. */
export const measureNumber = (value: number): string => formatNumber(value, 2)

/** A measured value with its unit: `120 vehicles`, `12.5 % of the fleet`. */
export const measuredText = (t: TFunction, measure: ComplianceMeasure, value: number): string =>
  t(`compliance:measures.${measure}.amount`, { count: value, shown: measureNumber(value) })
