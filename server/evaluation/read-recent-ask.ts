import type { z } from 'zod'
import type { askMostRecentTrips } from '#contract/evaluation.ts'
import type { Filters } from '#server/mobility/trip-filter-sql.ts'

type Ask = z.output<(typeof askMostRecentTrips)['ask']['query']>

/** The filters of a GET: lists come as text with commas. */
export function readRecentAsk(ask: Ask): Filters {
  const list = (text: string | undefined): string[] => (text ? text.split(',').map((each) => each.trim()).filter(Boolean) : [])
  return {
    region_id: ask.region_id,
    start_date: ask.start_date,
    end_date: ask.end_date,
    operators: list(ask.operators),
    vehicle_type: ask.vehicle_type ?? null,
    days: list(ask.days).map(Number).filter((day) => Number.isInteger(day) && day >= 1 && day <= 7),
    hour_filters: [ask.start_hour, ask.end_hour],
  }
}
