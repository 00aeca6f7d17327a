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
import { formatWeekday } from '#web/kit/weekdays.ts'
import type { Dashboard, DashboardChart } from '#web/reporting/dashboard.tsx'
import { day, matching, orderDays, searchParams, type SearchOf } from '#web/shell/search-params.ts'
import { getCurbColor } from '../map/curb-colors.ts'
import { toInstant } from '../map/curb-map-search.ts'
import { capitalize, formatUser } from '../rule-text.ts'
import { type Allocation, type AllocationRow, getAllocationRows, findLargestMove } from './allocation-rows.ts'
import { formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import type { Filter } from '#web/filters/filter.ts'

export const readAllocationSearch = searchParams(
  {
    /** The compared day, and the displayed day. */
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

interface AllocationData {
  search: AllocationSearch
  now: Allocation
  compared: Allocation | null
}

const maxCompareDays = 3660
/** Days between the two allocations by default. */
const defaultCompareDays = 365
const metersPerMile = 1609.344
const formatAllocationDay = (day: LocalDay, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day))
const getDefaultComparedDay = (day: LocalDay): LocalDay => dayFromNumber(dayNumber(day) - defaultCompareDays)

const readDays = ({ start_date: start, end_date: end }: AllocationSearch, today: LocalDay) => {
  const current = end ?? today
  return { current, compared: start ?? getDefaultComparedDay(current) }
}

/** Length of curb by permitted use for each hour of the week, and the change between two days. */
export const curbAllocation = (context: AllocationContext): Dashboard<AllocationSearch, AllocationData> => {
  const { region, today, language } = context
  const format = allocationFormat(context)
  return {
    title: (t) => t('shell:pages.curbAllocation'),
    context: ({ search, now }, t) => {
      const { current, compared } = readDays(search, today)
      return t('curb:allocation.context', {
        region: region.text,
        day: formatAllocationDay(current, language),
        before: formatAllocationDay(compared, language),
        length: format.length(now.length_m),
      })
    },
    readSearch: readAllocationSearch,
    filters: (t) => getAllocationFilters(t, today),
    query: (search) => {
      const { current, compared } = readDays(search, today)
      const toNoon = (date: LocalDay): number => toInstant(`${date}T12:00`, region.timezone) ?? 0
      const query = endpointQuery(getCurbAllocation, {
        params: { region_id: region.regionId },
        query: {
          at: toNoon(current),
          compare_at: toNoon(compared),
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
    charts: [toHourChart(context, format), toChangeChart(format)],
    table: allocationTable(format),
  }
}

/** Returns how lengths are displayed: `length` and `signed` format meters, `scaled` converts to `unit`. */
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

const getAllocationFilters = (t: TFunction, today: LocalDay): Filter[] => [
  {
    kind: 'days',
    label: t('curb:allocation.days'),
    today,
    defaultValue: { from: getDefaultComparedDay(today), to: today },
    maxDays: maxCompareDays,
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

/** Returns the chart of lengths by state for each hour of the week. */
function toHourChart({ language, scheme }: AllocationContext, { unit, scaled }: AllocationFormat) {
  const hourLabels = Array.from(
    { length: 7 * 24 },
    (_, index) =>
      `${formatWeekday(Math.floor(index / 24) + 1, language, 'short')} ${formatTimeOfDay({ hour: index % 24, minute: 0 })}`,
  )
  return ({ now }: AllocationData, t: TFunction): DashboardChart => ({
    title: t('curb:allocation.byHour'),
    unit,
    fileName: 'curb-allocation-by-hour',
    isWide: true,
    chart: {
      kind: 'stacked-bar',
      axis: { title: t('curb:allocation.hour'), labels: hourLabels, labelInterval: 24 },
      series: getAllocationRows({ now, compared: null }).map(({ state }) => ({
        key: state,
        name: t(`curb:map.state.${state}`),
        color: getCurbColor(state, scheme),
        values: now.hours.map((hour) => (Object.keys(hour).length ? scaled(hour[state] ?? 0) : null)),
      })),
    },
  })
}

/** Returns the chart of lengths by state on both days. */
const toChangeChart =
  ({ length, unit, scaled }: AllocationFormat) =>
  ({ now, compared }: AllocationData, t: TFunction): DashboardChart => ({
    title: t('curb:allocation.change'),
    context:
      formatLargestMove(t, getAllocationRows({ now, compared }), length) ?? t('curb:allocation.noChange'),
    unit,
    fileName: 'curb-allocation-change',
    isWide: true,
    chart: {
      kind: 'bar',
      axis: {
        title: t('curb:map.table.state'),
        labels: getAllocationRows({ now, compared }).map(({ state }) => t(`curb:map.state.${state}`)),
      },
      series: [
        {
          key: 'before',
          name: t('curb:allocation.before'),
          values: getAllocationRows({ now, compared }).map(({ metersBefore }) =>
            metersBefore === null ? null : scaled(metersBefore),
          ),
        },
        {
          key: 'now',
          name: t('curb:allocation.now'),
          values: getAllocationRows({ now, compared }).map(({ meters }) => scaled(meters)),
        },
      ],
    },
  })

const allocationTable =
  ({ length, signed }: AllocationFormat) =>
  ({ now, compared }: AllocationData, t: TFunction) => (
    <Table
      label={t('curb:allocation.table')}
      rows={getAllocationRows({ now, compared })}
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
          value: ({ metersBefore }) => metersBefore && Math.round(metersBefore),
          renderCell: ({ metersBefore }) => (metersBefore === null ? '' : length(metersBefore)),
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

/** Formats a text such as `4 km moved from paid parking to loading`; null if nothing moved. */
function formatLargestMove(
  t: TFunction,
  rows: readonly AllocationRow[],
  formatLength: (meters: number) => string,
): string | null {
  const move = findLargestMove(rows)
  return (
    move &&
    t('curb:allocation.moved', {
      length: formatLength(move.meters),
      from: t(`curb:map.state.${move.from}`).toLocaleLowerCase(),
      to: t(`curb:map.state.${move.to}`).toLocaleLowerCase(),
    })
  )
}
