import type { TFunction } from 'i18next'
import { maxParkedMinutes } from '#contract/map-names.ts'
import { measureKeys } from '#contract/metrics.ts'
import { VehicleType } from '#contract/mobility.ts'
import type { Operator } from '#contract/operators.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { comparisonParams, orderComparison } from '#web/filters/comparison.ts'
import type { Filter } from '#web/filters/filter.ts'
import { selectedPeriod, orderPeriod, type Period, periodParams, presetPeriod } from '#web/filters/period.ts'
import { hourRange } from '#web/filters/trip-filters.ts'
import {
  enumListParam,
  enumParam,
  hours,
  integer,
  type SearchOf,
  searchParams,
  slugs,
  uuid,
  weekdays,
} from '#web/shell/search-params.ts'

/** The input of all report pages. */
export interface ReportContext {
  region: Region
  /** Undefined while loading. */
  operators: readonly Operator[] | undefined
  operatorsError?: string | undefined
  today: LocalDay
  /** When the page was opened, in ms. */
  at: number
  language: string
}

const grains = ['day', 'week', 'month'] as const
export type Grain = (typeof grains)[number]
export const groupings = ['operator', 'vehicle_type', 'propulsion_type'] as const
/** Limits of parking duration to choose from, in minutes. */
export const parkingLimits = [1440, 2880, 4320, 14_400] as const

/** URL parameters of all report pages. */
export const readReportSearch = searchParams(
  {
    ...periodParams,
    ...comparisonParams,
    days: weekdays,
    hours,
    operators: slugs,
    vehicle_types: enumListParam(VehicleType.options),
    grain: enumParam(grains, 'day'),
    group: enumParam(groupings, 'operator'),
    parking_limit: integer(1, maxParkedMinutes),
    layer: uuid,
    /** The measure with open records. */
    records: enumParam(measureKeys),
  },
  orderPeriod,
  orderComparison,
)
export type ReportSearch = SearchOf<typeof readReportSearch>

/** Returns the default period of reports; that of maps is longer. */
export const reportPeriod = (today: LocalDay): Period => presetPeriod('last_30_days', today)

/** Returns the filters of all report pages, then those of one page. */
export const getReportFilters = (
  { operators, operatorsError, today }: ReportContext,
  t: TFunction,
  pageFilters: readonly Filter[] = [],
): Filter[] => [
  { kind: 'period', today, getDefault: reportPeriod },
  { kind: 'compare', today, getDefault: reportPeriod },
  { kind: 'operators', operators, error: operatorsError },
  { kind: 'vehicleTypes', label: t('filters:vehicleType.label'), all: t('filters:vehicleType.all') },
  ...pageFilters,
  { kind: 'weekdays' },
  { kind: 'hours' },
]
/** Returns the choice of days, weeks or months. */
export const grainFilter = (t: TFunction): Filter => ({
  kind: 'choice',
  key: 'grain',
  label: t('reporting:grain.label'),
  defaultValue: 'day',
  options: grains.map((value) => ({ value, text: t(`reporting:grain.${value}`) })),
})
/** Returns the choice of how results are split. */
export const groupFilter = (t: TFunction): Filter => ({
  kind: 'choice',
  key: 'group',
  label: t('reporting:group.label'),
  defaultValue: 'operator',
  options: groupings.map((value) => ({ value, text: t(`reporting:group.${value}`) })),
})

/** Returns the selection of the URL as API parameters. */
export const toSelection = ({ today }: ReportContext, search: ReportSearch) => ({
  ...selectedPeriod(search, today, reportPeriod),
  operators: search.operators ?? [],
  vehicle_types: search.vehicle_types ?? [],
  days: search.days ?? [],
  hour_filters: hourRange(search.hours),
})
