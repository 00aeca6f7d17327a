import type { TFunction } from 'i18next'
import { measureKeys } from '#contract/metrics.ts'
import { VehicleType } from '#contract/mobility.ts'
import type { Operator } from '#contract/operators.ts'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { comparisonParams, orderComparison } from '#web/filters/comparison.ts'
import type { Filter } from '#web/filters/filter.ts'
import { chosenPeriod, orderPeriod, type Period, periodParams, presetPeriod } from '#web/filters/period.ts'
import { hourRange } from '#web/filters/trip-filters.ts'
import {
  hours,
  integer,
  oneOf,
  searchParams,
  type SearchOf,
  slugs,
  someOf,
  uuid,
  weekdays,
} from '#web/shell/search-params.ts'

/** What every report page knows. */
export interface ReportContext {
  region: Region
  /** Undefined while they load. */
  operators: readonly Operator[] | undefined
  today: LocalDay
  /** When the page was opened, ms. */
  at: number
  language: string
}

const grains = ['day', 'week', 'month'] as const
export type Grain = (typeof grains)[number]
export const groupings = ['operator', 'vehicle_type', 'propulsion_type'] as const
/** Minutes from which on a parking event can be over the limit. */
export const parkingLimits = [1440, 2880, 4320, 14_400] as const

/** URL state of all report pages. */
export const readReportSearch = searchParams(
  {
    ...periodParams,
    ...comparisonParams,
    days: weekdays,
    hours,
    operators: slugs,
    vehicle_types: someOf(VehicleType.options),
    grain: oneOf(grains, 'day'),
    group: oneOf(groupings, 'operator'),
    parking_limit: integer(1, 525_600),
    layer: uuid,
    /** The measure with open records. */
    records: oneOf(measureKeys),
  },
  orderPeriod,
  orderComparison,
)
export type ReportSearch = SearchOf<typeof readReportSearch>

/** The days of a report unless the user chooses; maps have a longer default. */
export const reportPeriod = (today: LocalDay): Period => presetPeriod('last_30_days', today)

/** The filters of all report pages, and those of one page. */
export const reportFilters = (
  { operators, today }: ReportContext,
  t: TFunction,
  own: readonly Filter[] = [],
): Filter[] => [
  { kind: 'period', today, getDefault: reportPeriod },
  { kind: 'compare', today, getDefault: reportPeriod },
  { kind: 'operators', operators },
  { kind: 'vehicleTypes', label: t('filters:vehicleType.label'), all: t('filters:vehicleType.all') },
  ...own,
  { kind: 'weekdays' },
  { kind: 'hours' },
]
export const grainFilter = (t: TFunction): Filter => ({
  kind: 'choice',
  key: 'grain',
  label: t('reporting:grain.label'),
  defaultValue: 'day',
  options: grains.map((value) => ({ value, text: t(`reporting:grain.${value}`) })),
})
export const groupFilter = (t: TFunction): Filter => ({
  kind: 'choice',
  key: 'group',
  label: t('reporting:group.label'),
  defaultValue: 'operator',
  options: groupings.map((value) => ({ value, text: t(`reporting:group.${value}`) })),
})

/** What the URL selects, in the words of the API. */
export const selectionOf = ({ today }: ReportContext, search: ReportSearch) => ({
  ...chosenPeriod(search, today, reportPeriod),
  operators: search.operators ?? [],
  vehicle_types: search.vehicle_types ?? [],
  days: search.days ?? [],
  hour_filters: hourRange(search.hours),
})
