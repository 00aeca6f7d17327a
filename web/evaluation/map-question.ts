import type { VehicleType } from '#contract/mobility.ts'
import type { HourRange, LocalDay } from '#contract/period.ts'
import type { MapSearch } from '#web/map-page/by-shape/map-search.ts'
import type { MapMode, MapQuestion } from '#web/map-page/by-shape/map-mode.ts'
import { selectedPeriod, type Period } from '#web/filters/period.ts'
import { hourRange } from '#web/filters/trip-filters.ts'

/** Returns the question of the URL, for a map mode and layer. */
export function mapQuestion(mode: MapMode, search: MapSearch, layerId: string, today: LocalDay): MapQuestion {
  return {
    mode: mode.key,
    aggregation: search.aggregation ?? mode.aggregations[0]!,
    ...selectedPeriod(search, today),
    operators: search.operators ?? [],
    vehicle_types: search.vehicle_types ?? [],
    days: search.days ?? [],
    hour_filters: hourRange(search.hours),
    shape_layer_uuid: layerId,
    buffer: search.buffer ?? 0,
    parked_duration: search.parked_duration ?? 0,
    shape_filter: mode.canFilterByShape && search.filter_by_shape ? (search.shape ?? null) : null,
  }
}

interface HeatFilters extends Period {
  hours: HourRange
  operators: string[] | undefined
  vehicle_types: VehicleType[] | undefined
  days: number[] | undefined
}

/** Returns the same filters in the format of the heat map endpoint. */
export const heatFilters = (search: MapSearch, today: LocalDay): HeatFilters => ({
  ...selectedPeriod(search, today),
  hours: hourRange(search.hours),
  operators: search.operators,
  vehicle_types: search.vehicle_types,
  days: search.days,
})
