import { VehicleType } from '#contract/mobility.ts'
import type { HourRange } from '#contract/period.ts'
import { hours, oneOf, slugs, weekdays } from '#web/shell/search-params.ts'
import { periodParams } from './period.ts'

/** URL parameters of the filters that all maps of trips have. */
export const tripFilterParams = {
  ...periodParams,
  days: weekdays,
  hours,
  operators: slugs,
  vehicle_type: oneOf(VehicleType.options),
}

/** Hours of the URL (0 to 24, end excluded) as the API takes them: first and last hour, both included. */
export const hourRange = ([from, until]: readonly [number, number] = [0, 24]): HourRange => [from, until - 1]
