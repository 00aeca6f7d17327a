import type { TFunction } from 'i18next'
import type { TripAggregation } from '#contract/evaluation.ts'

/** What an aggregation is called: with a selected shape, it tells of the trips whose other end is there. */
export const aggregationName = (t: TFunction, aggregation: TripAggregation, shapeName: string | null): string =>
  shapeName === null ? t(`evaluation:aggregation.${aggregation}.name`) : t(`evaluation:aggregation.${aggregation}.of`, { shape: shapeName })
