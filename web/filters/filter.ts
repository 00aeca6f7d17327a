import type { ReactNode } from 'react'
import type { Layer, Shape } from '#contract/geography.ts'
import type { VehicleType } from '#contract/mobility.ts'
import type { Operator } from '#contract/operators.ts'
import type { LocalDay } from '#contract/period.ts'
import type { OptionCounts } from './option-counts.ts'
import type { DataDays } from './comparison.ts'
import type { Period } from './period.ts'
import type { PageRows } from './removed-days.tsx'
import type { DateRange } from '#web/kit/dates/date-range.ts'
import type { DropdownOption } from '#web/kit/dropdown-parts.tsx'
import type { Scheme } from '#web/kit/theme.ts'

/** URL state that filters read and change; each uses the parameters that it names, or those of its kind. */
export type FilterState = Record<string, unknown>

export interface ChoiceOption {
  value: string | number
  text: string
}

/** One filter of a bar or one field of a panel. */
export type Filter =
  /** Text, searched once typing has paused; not a step of Back. */
  | { kind: 'search'; key: string; label: string }
  /** Any of some options; none means all. Values that no option has remain visible. */
  | { kind: 'choices'; key: string; label: string; all: string; options: readonly DropdownOption[] }
  /** One of some options. `defaultValue` is the one without a parameter, `none` the text of an option for no value. */
  | {
      kind: 'choice'
      key: string
      label: string
      options: readonly ChoiceOption[]
      defaultValue?: string
      none?: string
      description?: string
    }
  | { kind: 'flag'; key: string; label: string }
  /** Numbers between two bounds, both included, in the parameters `min_<key>` and `max_<key>`. */
  | { kind: 'range'; key: string; label: string; decimals?: number }
  /** `vehicle_types`, of the types that are present, or of all. */
  | {
      kind: 'vehicleTypes'
      label?: string
      all?: string
      present?: readonly VehicleType[]
      counts?: OptionCounts
    }
  /** `operators`; undefined while they load. */
  | {
      kind: 'operators'
      operators: readonly Pick<Operator, 'slug' | 'name'>[] | undefined
      counts?: OptionCounts
    }
  /** `layer` of the layers, which are null while they load; the first one is the default. Another layer has other shapes, so `shape` is cleared. */
  | { kind: 'layer'; layers: readonly Layer[] | null; layer: Layer | null }
  /** `shape`, of the layer. */
  | { kind: 'shape'; shapes: readonly Shape[] }
  /** `period`, `start_date` and `end_date`; by default the months of `defaultPeriod`. */
  | {
      kind: 'period'
      today: LocalDay
      defaultOf?: (today: LocalDay) => Period
      maxDays?: number
      /** Rows that the screen reads, to say where they were removed; those of the fleet by default. */
      rows?: PageRows
    }
  /** A second period, with the parameters of comparison.ts. */
  | {
      kind: 'compare'
      today: LocalDay
      defaultOf?: (today: LocalDay) => Period
      /** Days with data, to say where the other period has none. */
      dataDays?: DataDays | null
      /** A map offers the change, in numbers or percent, or both periods side by side. */
      isMap?: true
    }
  /** `start_date` and `end_date`, of which one or both may be absent unless there is a default. */
  | {
      kind: 'days'
      label: string
      today: LocalDay
      defaultValue?: DateRange
      maxDays?: number
      /** As of a period; none by default. */
      rows?: PageRows
    }
  /** `days`. */
  | { kind: 'weekdays' }
  /** `hours`. */
  | { kind: 'hours' }
  /** `colors`. */
  | { kind: 'colors'; scheme: Scheme }
  /** A field of the screen's own; `key` is its parameter. */
  | { kind: 'custom'; key: string; field: ReactNode }
  /** Fields behind a heading, open while one of them is set. */
  | { kind: 'group'; key: string; label: string; filters: readonly Filter[] }

export const keyOf = (filter: Filter): string => ('key' in filter ? filter.key : filter.kind)

const paramsOf: Partial<Record<Filter['kind'], readonly string[]>> = {
  vehicleTypes: ['vehicle_types'],
  period: ['period', 'start_date'],
  compare: ['compare_start_date'],
  days: ['start_date', 'end_date'],
  weekdays: ['days'],
}

/** Whether a filter is set. */
export const isSet = (filter: Filter, state: FilterState): boolean =>
  (filter.kind === 'range'
    ? [`min_${filter.key}`, `max_${filter.key}`]
    : (paramsOf[filter.kind] ?? [keyOf(filter)])
  ).some((key) => state[key] !== undefined)
