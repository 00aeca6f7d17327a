import type { LocalDay } from '#contract/period.ts'
import type { VehicleType } from '#contract/mobility.ts'
import { chosenPeriod } from '#web/evaluation/period-presets.ts'
import type { RoutesSearch } from './routes-search.ts'

/** The filters as the calls take them; what is not filtered by is absent. */
export interface RoutesQuestion {
  start_date: LocalDay
  end_date: LocalDay
  days?: string
  start_hour?: number
  end_hour?: number
  operators?: string
  vehicle_type?: VehicleType
}

/** What the routes map asks, for what the address bar says. */
export function routesQuestion(search: RoutesSearch, today: LocalDay): RoutesQuestion {
  const { days, hours, operators, vehicleType } = search
  return {
    ...chosenPeriod(search, today),
    ...(days ? { days: days.join(',') } : {}),
    ...(hours ? { start_hour: hours[0], end_hour: hours[1] } : {}),
    ...(operators ? { operators: operators.join(',') } : {}),
    ...(vehicleType ? { vehicle_type: vehicleType } : {}),
  }
}
