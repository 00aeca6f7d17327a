import type { ReactNode } from 'react'
import type { Layer, Shape } from '#contract/geography.ts'
import type { VehicleType } from '#contract/mobility.ts'
import type { Operator } from '#contract/operators.ts'
import type { LocalDay } from '#contract/period.ts'
import type { DateRange } from '#web/kit/dates/date-range.ts'
import type { DropdownOption } from '#web/kit/dropdown-parts.tsx'
import type { Palettes } from '#web/kit/theme.ts'
import type { OptionCounts } from './option-counts.ts'
import type { DataDays } from './comparison.ts'
import type { Period } from './period.ts'
import type { RetentionSubject } from './removed-days.tsx'

/** URL state that filters read and change. Each kind documents its parameters. */
export type FilterState = Record<string, unknown>

export interface ChoiceOption {
  value: string | number
  text: string
}

/** One filter of a bar or one field of a panel. */
export type Filter =
  /** A text, searched after typing has paused, without a history entry. */
  | { kind: 'search'; key: string; label: string }
  /** Any number of options; none means all. Values that are no longer an option remain visible. */
  | { kind: 'choices'; key: string; label: string; all: string; options: readonly DropdownOption[] }
  /** One of several options. The URL omits `defaultValue`; `none` is the text of an option for no value. */
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
  /** A range of numbers, both ends included. Parameters: `min_<key>`, `max_<key>`. */
  | { kind: 'range'; key: string; label: string; decimals?: number }
  /** Vehicle types: those of `present`, or all. Parameter: `vehicle_types`. */
  | {
      kind: 'vehicleTypes'
      label?: string
      all?: string
      present?: readonly VehicleType[]
      counts?: OptionCounts
    }
  /** Operators; undefined until they are loaded. `error` says why they are not. Parameter: `operators`. */
  | {
      kind: 'operators'
      operators: readonly Pick<Operator, 'slug' | 'name'>[] | undefined
      error?: string | undefined
      counts?: OptionCounts
    }
  /**
   * A layer; `layers` is null while loading, and the first one is the default. A change clears `shape`,
   * because shapes belong to a layer. Parameter: `layer`.
   */
  | { kind: 'layer'; layers: readonly Layer[] | null; layer: Layer | null }
  /** A shape of the layer. Parameter: `shape`. */
  | { kind: 'shape'; shapes: readonly Shape[] }
  /** A period; by default the months of `defaultPeriod`. Parameters: `period`, `start_date`, `end_date`. */
  | {
      kind: 'period'
      today: LocalDay
      getDefault?: (today: LocalDay) => Period
      maxDays?: number
      /** Subject of the screen, to warn about removed rows; the fleet by default. */
      subject?: RetentionSubject
    }
  /** A second period. Parameters: `comparisonParams`. */
  | {
      kind: 'compare'
      today: LocalDay
      getDefault?: (today: LocalDay) => Period
      /** Days with data, to warn if the second period has none. */
      dataDays?: DataDays | null
      /** Whether to offer the choices of maps: the change in numbers or percent, or both periods side by side. */
      isMap?: true
    }
  /** Days; either end may be open unless there is a default. Parameters: `start_date`, `end_date`. */
  | {
      kind: 'days'
      label: string
      today: LocalDay
      defaultValue?: DateRange
      maxDays?: number
      /** As for a period; none by default. */
      subject?: RetentionSubject
    }
  /** Days of the week. Parameter: `days`. */
  | { kind: 'weekdays' }
  /** Hours of the day. Parameter: `hours`. */
  | { kind: 'hours' }
  /** The color scheme of a map. Parameter: `colors`. */
  | { kind: 'colors'; palettes: Palettes }
  /** A field that the screen renders. Parameter: `key`. */
  | { kind: 'custom'; key: string; field: ReactNode }
  /** A collapsible group of fields, open while one of them is set. */
  | { kind: 'group'; key: string; label: string; filters: readonly Filter[] }

/** Returns the key of a filter: that of its URL parameter, or its kind. */
export const getFilterKey = (filter: Filter): string => ('key' in filter ? filter.key : filter.kind)

const paramsByKind: Partial<Record<Filter['kind'], readonly string[]>> = {
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
    : (paramsByKind[filter.kind] ?? [getFilterKey(filter)])
  ).some((key) => state[key] !== undefined)
