import { useState } from 'react'
import type { VehicleType } from '#contract/mobility.ts'
import { type MeasureKey, queryMetrics } from '#contract/metrics.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { Period } from './period.ts'
import { hourRange } from './trip-filters.ts'

/** The value of a measure for each option of a filter, in the region and with the other filters applied. */
export interface OptionCounts {
  /** Null until loaded. An option without a number has no data. */
  operators: ReadonlyMap<string, number> | null
  vehicleTypes: ReadonlyMap<string, number> | null
  /** Loads the numbers. Called when a list of options opens, so that maps need no query for them. */
  load: () => void
}

interface CountedSearch {
  operators?: string[] | undefined
  vehicle_types?: VehicleType[] | undefined
  days?: number[] | undefined
  hours?: [number, number] | undefined
}

const sumBy = (
  rows: readonly { keys: string[]; values: (number | null)[] }[],
  keyIndex: number,
  isIncluded: (keys: string[]) => boolean,
): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const { keys, values } of rows)
    if (isIncluded(keys)) sums.set(keys[keyIndex]!, (sums.get(keys[keyIndex]!) ?? 0) + (values[0] ?? 0))
  return sums
}

/** Sums a measure by operator, for chosen vehicle types, and by vehicle type, for chosen operators. */
export function countOptions(
  rows: readonly { keys: string[]; values: (number | null)[] }[],
  { operators = [], vehicle_types = [] }: Pick<CountedSearch, 'operators' | 'vehicle_types'>,
): Record<'operators' | 'vehicleTypes', ReadonlyMap<string, number>> {
  const isSelected = (selected: readonly string[], key: string): boolean =>
    selected.length === 0 || selected.includes(key)
  return {
    operators: sumBy(rows, 0, ([, type]) => isSelected(vehicle_types, type!)),
    vehicleTypes: sumBy(rows, 1, ([operator]) => isSelected(operators, operator!)),
  }
}

/** Returns the numbers beside the options of operators and vehicle types. */
export function useOptionCounts(
  regionId: string,
  measure: MeasureKey,
  period: Period,
  search: CountedSearch,
): OptionCounts {
  const [isEnabled, setIsEnabled] = useState(false)
  const { data } = useEndpointQuery(
    queryMetrics,
    {
      params: { region_id: regionId },
      body: {
        measures: [measure],
        dimensions: ['operator', 'vehicle_type'],
        ...period,
        days: search.days ?? [],
        hour_filters: hourRange(search.hours),
      },
    },
    { enabled: isEnabled },
  )
  const counts = data ? countOptions(data.period.rows, search) : { operators: null, vehicleTypes: null }
  return { ...counts, load: () => setIsEnabled(true) }
}
