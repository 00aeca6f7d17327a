import type { TFunction } from 'i18next'
import type { SpatialAggregation } from '#contract/spatial.ts'

/** What an aggregation is called: where a selected shape filters the map, it tells of the trips whose other end is there. */
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
