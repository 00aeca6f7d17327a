import type { LocalDay } from '#contract/period.ts'
import { selectedPeriod } from '#web/filters/period.ts'
import { hourRange } from '#web/filters/trip-filters.ts'
import type { RoutesSearch } from './routes-search.ts'

/** The filters as API parameters; unset filters are absent. */
export interface RoutesQuestion {
  start_date: LocalDay
  end_date: LocalDay
  days?: string
  start_time_hour?: number
  end_time_hour?: number
  operators?: string
  vehicle_types?: string
}

/** Returns the question of the routes map for the URL. */
export function toRoutesQuestion(search: RoutesSearch, today: LocalDay): RoutesQuestion {
  const { days, operators, vehicle_types } = search
  const [start_time_hour, end_time_hour] = hourRange(search.hours)
  return {
    ...selectedPeriod(search, today),
    ...(days ? { days: days.join(',') } : {}),
    ...(search.hours ? { start_time_hour, end_time_hour } : {}),
    ...(operators ? { operators: operators.join(',') } : {}),
    ...(vehicle_types ? { vehicle_types: vehicle_types.join(',') } : {}),
  }
}
