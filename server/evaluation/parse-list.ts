import type { z } from 'zod'
import type { askMostRecentTrips } from '#contract/evaluation.ts'
import type { Filters } from '#server/mobility/trip-filter-sql.ts'

/** A list that travels as text with commas. */
export const parseList = (text: string | undefined): string[] =>
  text
    ? text
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean)
    : []

type Ask = z.output<(typeof askMostRecentTrips)['ask']['query']>

/** The filters of a GET: lists come as text with commas. */
export function readRecentTripFilters(ask: Ask): Filters {
  return {
    region_id: ask.region_id,
    start_date: ask.start_date,
    end_date: ask.end_date,
    operators: parseList(ask.operators),
    vehicle_type: ask.vehicle_type ?? null,
    days: ask.days,
    hour_filters: [ask.start_time_hour, ask.end_time_hour],
  }
}
