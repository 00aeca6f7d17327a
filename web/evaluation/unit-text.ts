import type { TFunction } from 'i18next'
import type { SpatialAggregation } from '#contract/spatial.ts'
import { distanceUnit } from '#contract/units.ts'

/** The unit of an aggregation, as it follows a number. */
export const unitText = (t: TFunction, aggregation: SpatialAggregation, isMetric: boolean): string =>
  t(`evaluation:aggregation.${aggregation}.unit`, { unit: distanceUnit(isMetric) })
