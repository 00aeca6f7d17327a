import { vehicleTypeTexts, type VehicleType } from '#contract/mobility.ts'
import type { LocalDay } from '#contract/period.ts'
import { periodPresets, type PeriodPreset } from './period-preset.ts'
import { daysInOrder, hoursOf, keyOf, oneDay, oneOf, orAbsent, slugsOf, weekdaysOf } from './search-values.ts'

/** Which trips a map is about, as the address bar has it; what has its default value is absent. */
export interface TripFilters {
  /** A period that moves with today; absent with no days: the default one. */
  period?: PeriodPreset | undefined
  startDate?: LocalDay | undefined
  endDate?: LocalDay | undefined
  days?: number[] | undefined
  hours?: [from: number, to: number] | undefined
  operators?: string[] | undefined
  vehicleType?: VehicleType | undefined
}

/** Reads the filters that all maps of trips have; what makes no sense is undefined. */
export function readTripFilters(search: Record<string, unknown>): TripFilters {
  const [startDate, endDate] = daysInOrder(oneDay(search['startDate']), oneDay(search['endDate']))
  const days = weekdaysOf(search['days'])
  return {
    period: startDate === undefined ? oneOf(periodPresets, search['period']) : undefined,
    startDate,
    endDate,
    days: days.length === 7 ? undefined : orAbsent(days),
    hours: hoursOf(search['hours']),
    operators: orAbsent(slugsOf(search['operators'])),
    vehicleType: keyOf(vehicleTypeTexts, search['vehicleType']),
  }
}
