import type { TFunction } from 'i18next'
import { wellKnownPurposes, wellKnownUserClasses } from '#contract/cds.ts'
import { getCurbAllocation } from '#contract/curb-map.ts'
import { curbStates } from '#contract/curb-rules.ts'
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { endpointQuery } from '#web/data/query.ts'
import { formatDistance, formatNumber, formatPercent } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { Scheme } from '#web/kit/theme.ts'
import { weekdayName } from '#web/kit/weekdays.ts'
import type { Dashboard, DashboardChart } from '#web/reporting/dashboard.tsx'
import { day, matching, orderDays, searchParams, type SearchOf } from '#web/shell/search-params.ts'
import { curbColor } from '../map/curb-colors.ts'
import { toInstant } from '../map/curb-map-search.ts'
import { capitalize, formatUser } from '../rule-text.ts'
import { type Allocation, type AllocationRow, allocationRows, largestMove } from './allocation-rows.ts'
import { formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import type { Filter } from '#web/filters/filter.ts'

export const readAllocationSearch = searchParams(
  {
    /** The day of the comparison, and the displayed day. */
    start_date: day,
    end_date: day,
    vehicle: matching(/^[\p{L}\d _-]{1,60}$/u),
    purpose: matching(/^[\p{L}\d _-]{1,60}$/u),
  },
  orderDays('start_date', 'end_date'),
)
type AllocationSearch = SearchOf<typeof readAllocationSearch>

interface AllocationContext {
  region: Region
  today: LocalDay
  language: string
  scheme: Scheme
}

interface Data {
  search: AllocationSearch
  now: Allocation
  compared: Allocation | null
}

/** Days between the two allocations by default. */
const defaultCompareDays = 365
const metersPerMile = 1609.344
const formatAllocationDay = (day: LocalDay, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day))
const daysBefore = (day: LocalDay): LocalDay => dayFromNumber(dayNumber(day) - defaultCompareDays)

const readPeriods = ({ start_date: start, end_date: end }: AllocationSearch, today: LocalDay) => {
  const current = end ?? today
  return { current, before: start ?? daysBefore(current) }
}

/** Length of curb by permitted use for each hour of the week, and the change between two days. */
export const curbAllocation = (context: AllocationContext): Dashboard<AllocationSearch, Data> => {
  const { region, today, language } = context
  const format = allocationFormat(context)
  return {
    title: (t) => t('shell:pages.curbAllocation'),
    context: ({ search, now }, t) => {
      const { current, before } = readPeriods(search, today)
      return t('curb:allocation.context', {
        region: region.text,
        day: formatAllocationDay(current, language),
        before: formatAllocationDay(before, language),
        length: format.length(now.length_m),
      })
    },
    readSearch: readAllocationSearch,
    filters: (t) => allocationFilters(t, today),
    query: (search) => {
      const { current, before } = readPeriods(search, today)
      const noon = (date: LocalDay): number => toInstant(`${date}T12:00`, region.timezone) ?? 0
      const query = endpointQuery(getCurbAllocation, {
        params: { region_id: region.regionId },
        query: {
          at: noon(current),
          compare_at: noon(before),
          user_classes: search.vehicle ?? 'car',
          ...(search.purpose === undefined ? {} : { purposes: search.purpose }),
        },
      })
      return {
        queryKey: query.queryKey,
        queryFn: async (call) => ({ search, ...(await query.queryFn(call)) }),
      }
    },
    isEmpty: ({ now, compared }) => now.length_m === 0 && !compared?.length_m,
    empty: (t) => ({ title: t('curb:map.empty.title'), text: t('curb:map.empty.text') }),
    charts: [byHour(context, format), changeByState(format)],
    table: allocationTable(format),
  }
}

/** How lengths are displayed. */
function allocationFormat({ region }: AllocationContext) {
  const length = (meters: number): string => formatDistance(meters, region.isMetric)
  const signed = (meters: number): string =>
    `${meters > 0 ? '+' : meters < 0 ? '−' : ''}${length(Math.abs(meters))}`
  const unit = {
    name: region.isMetric ? 'km' : 'mi',
    format: (value: number | null) => (value === null ? '' : formatNumber(value, 2)),
  }
  const scaled = (meters: number): number => meters / (region.isMetric ? 1000 : metersPerMile)
  return { length, signed, unit, scaled }
}

type AllocationFormat = ReturnType<typeof allocationFormat>

const allocationFilters = (t: TFunction, today: LocalDay): Filter[] => [
  {
    kind: 'days',
    label: t('curb:allocation.days'),
    today,
    defaultValue: { from: daysBefore(today), to: today },
    maxDays: 3660,
  },
  {
    kind: 'choice',
    key: 'vehicle',
    label: t('curb:map.filter.vehicle'),
    defaultValue: 'car',
    options: wellKnownUserClasses.map((value) => ({ value, text: capitalize(formatUser(t, value)) })),
  },
  {
    kind: 'choice',
    key: 'purpose',
    label: t('curb:map.filter.purpose'),
    none: t('curb:map.filter.anyPurpose'),
    options: wellKnownPurposes.map((value) => ({ value, text: capitalize(formatUser(t, value)) })),
  },
]

/** Lengths by state for each hour of the week. */
function byHour({ language, scheme }: AllocationContext, { unit, scaled }: AllocationFormat) {
  const hourLabels = Array.from(
    { length: 168 },
    (_, index) =>
      `${weekdayName(Math.floor(index / 24) + 1, language, 'short')} ${formatTimeOfDay({ hour: index % 24, minute: 0 })}`,
  )
  return ({ now }: Data, t: TFunction): DashboardChart => ({
    title: t('curb:allocation.byHour'),
    unit,
    fileName: 'curb-allocation-by-hour',
    isWide: true,
    chart: {
      kind: 'stacked-bar',
      axis: { title: t('curb:allocation.hour'), labels: hourLabels, labelInterval: 24 },
      series: allocationRows({ now, compared: null }).map(({ state }) => ({
        key: state,
        name: t(`curb:map.state.${state}`),
        color: curbColor(state, scheme),
        values: now.hours.map((hour) => (Object.keys(hour).length ? scaled(hour[state] ?? 0) : null)),
      })),
    },
  })
}

/** Lengths by state on both days. */
const changeByState =
  ({ length, unit, scaled }: AllocationFormat) =>
  ({ now, compared }: Data, t: TFunction): DashboardChart => ({
    title: t('curb:allocation.change'),
    context: formatLargestMove(t, allocationRows({ now, compared }), length) ?? t('curb:allocation.noChange'),
    unit,
    fileName: 'curb-allocation-change',
    isWide: true,
    chart: {
      kind: 'bar',
      axis: {
        title: t('curb:map.table.state'),
        labels: allocationRows({ now, compared }).map(({ state }) => t(`curb:map.state.${state}`)),
      },
      series: [
        {
          key: 'before',
          name: t('curb:allocation.before'),
          values: allocationRows({ now, compared }).map(({ before }) =>
            before === null ? null : scaled(before),
          ),
        },
        {
          key: 'now',
          name: t('curb:allocation.now'),
          values: allocationRows({ now, compared }).map(({ meters }) => scaled(meters)),
        },
      ],
    },
  })

const allocationTable =
  ({ length, signed }: AllocationFormat) =>
  ({ now, compared }: Data, t: TFunction) => (
    <Table
      label={t('curb:allocation.table')}
      rows={allocationRows({ now, compared })}
      rowKey={({ state }: AllocationRow) => state}
      fileName="curb-allocation"
      columns={[
        {
          key: 'state',
          title: t('curb:map.table.state'),
          value: ({ state }) => curbStates.indexOf(state),
          renderCell: ({ state }) => t(`curb:map.state.${state}`),
        },
        {
          key: 'now',
          title: t('curb:allocation.now'),
          isNumber: true,
          value: ({ meters }) => Math.round(meters),
          renderCell: ({ meters }) => length(meters),
        },
        {
          key: 'share',
          title: t('curb:allocation.share'),
          isNumber: true,
          value: ({ share }) => share,
          renderCell: ({ share }) => formatPercent(share),
        },
        {
          key: 'before',
          title: t('curb:allocation.before'),
          isNumber: true,
          value: ({ before }) => before && Math.round(before),
          renderCell: ({ before }) => (before === null ? '' : length(before)),
        },
        {
          key: 'change',
          title: t('curb:allocation.difference'),
          isNumber: true,
          value: ({ change }) => change && Math.round(change),
          renderCell: ({ change }) => (change === null ? '' : signed(change)),
        },
      ]}
    />
  )

/** Text such as "4 km moved from paid parking to loading". */
function formatLargestMove(
  t: TFunction,
  rows: readonly AllocationRow[],
  length: (meters: number) => string,
): string | null {
  const move = largestMove(rows)
  return (
    move &&
    t('curb:allocation.moved', {
      length: length(move.meters),
      from: t(`curb:map.state.${move.from}`).toLocaleLowerCase(),
      to: t(`curb:map.state.${move.to}`).toLocaleLowerCase(),
    })
  )
}
