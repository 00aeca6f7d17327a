import type { MapSearch } from './map-search.ts'

/**
 * What another map takes over: whose vehicles, when, and where one looks. The rest is as the other map begins: all weekdays, no heat, the
 * first layer, nothing selected (2-map-and-data, section 4).
 */
export function keptForOtherMap({
  operators,
  vehicleType,
  period,
  startDate,
  endDate,
  hours,
  colors,
  results,
  view,
}: MapSearch): MapSearch {
  const kept: MapSearch = { operators, vehicleType, period, startDate, endDate, hours, colors, results, view }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
}
