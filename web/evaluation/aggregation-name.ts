import type { TFunction } from 'i18next'
import type { SpatialAggregation } from '#contract/spatial.ts'

/** Name of an aggregation; with `shapeName`, of the trips whose other end is in that shape. */
export const aggregationName = (
  t: TFunction,
  aggregation: SpatialAggregation,
  shapeName: string | null,
): string =>
  shapeName === null
    ? t(`evaluation:aggregation.${aggregation}.name`)
    : t([`evaluation:aggregation.${aggregation}.of`, `evaluation:aggregation.${aggregation}.name`], {
        shape: shapeName,
      })
