// No schema imports here: this file is part of the app's first chunk (early-home.ts).
import type { MeasureKey } from '#contract/metrics.ts'
import type { Period } from '#web/filters/period.ts'
import type { PageKey } from '#web/shell/pages.ts'

/** The tiles, each with the page of its details. */
export const homeTiles = [
  ['trips', 'tripCounts'],
  ['fleet_avg', 'tripCounts'],
  ['trips_per_vehicle', 'mobilityMetrics'],
  ['utilization', 'mobilityMetrics'],
  ['distance_median', 'tripDistance'],
  ['parking_over_limit', 'parkingTime'],
] as const satisfies readonly (readonly [MeasureKey, PageKey])[]

/** Returns the request for the measures of the tiles in a period, by day or in total. */
export const homeMetricsBody = (period: Period, compared: Period | null, isByDay: boolean) => ({
  measures: homeTiles.map(([key]) => key),
  dimensions: isByDay ? ['day' as const] : [],
  ...period,
  compare_start_date: compared?.start_date ?? null,
  compare_end_date: compared?.end_date ?? null,
})
