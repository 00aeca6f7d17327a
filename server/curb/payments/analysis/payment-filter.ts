import { revenuePaymentKinds, type TransactionFilter } from '#contract/curb-payments.ts'
import {
  hoursOfRange,
  isFullDay,
  type LocalDay,
  endOfMonth,
  startOfMonth,
  startOfNextMonth,
} from '#contract/period.ts'
import { bind, joinSql, latest, type ScopedTable, type Sql, sql } from '#server/stores/sql.ts'

/**
 * The rate in minor units per hour: as reported, or else from the amount and the purchased time. Null if
 * unknown.
 */
export const rateColumn = sql`multiIf(
      rate is not null, rate,
      ifNull(purchased_seconds, 0) > 0 and amount > 0, round(amount * 3600 / purchased_seconds),
      null
    )`

const inList = (column: Sql, values: readonly string[]): Sql[] =>
  values.length ? [sql`${column} in ${bind('Array(String)', values)}`] : []

const range = (column: Sql, type: string, min: number | undefined, max: number | undefined): Sql[] => [
  ...(min === undefined ? [] : [sql`${column} >= ${bind(type, min)}`]),
  ...(max === undefined ? [] : [sql`${column} <= ${bind(type, max)}`]),
]

const hourRange = ({ start_time_hour: start, end_time_hour: end }: TransactionFilter): [number, number] => [
  start,
  end,
]

/** Returns conditions on columns that all tables of payments have. */
const classConditions = (regionId: string, filter: TransactionFilter): Sql[] => [
  sql`region_id = ${bind('String', regionId)}`,
  ...inList(sql`vendor`, filter.vendors),
  ...inList(sql`payment_type`, filter.payment_types),
  sql`kind in ${bind('Array(String)', filter.kinds.length ? filter.kinds : revenuePaymentKinds)}`,
]
const hasWeekdays = ({ days }: { days: readonly number[] }): boolean => days.length > 0 && days.length < 7
const dayConditions = (regionId: string, filter: TransactionFilter): Sql[] => [
  ...classConditions(regionId, filter),
  sql`day between ${bind('Date', filter.start_date)} and ${bind('Date', filter.end_date)}`,
  ...(hasWeekdays(filter) ? [sql`toDayOfWeek(day) in ${bind('Array(UInt8)', filter.days)}`] : []),
]
const locationConditions = (filter: TransactionFilter): Sql[] => [
  ...inList(sql`zone_id`, filter.zones),
  ...inList(sql`location_id`, filter.locations),
]
const hourConditions = (filter: TransactionFilter): Sql[] =>
  isFullDay(hourRange(filter)) ? [] : [sql`hour in ${bind('Array(UInt8)', hoursOfRange(hourRange(filter)))}`]
const rowConditions = (filter: TransactionFilter): Sql[] => [
  ...range(rateColumn, 'Int64', filter.min_rate, filter.max_rate),
  ...range(sql`purchased_seconds`, 'Float64', seconds(filter.min_minutes), seconds(filter.max_minutes)),
  ...range(sql`amount`, 'Int64', filter.min_amount, filter.max_amount),
]
const seconds = (minutes: number | undefined): number | undefined =>
  minutes === undefined ? undefined : minutes * 60

/** Builds the condition for payments that match a filter. */
export const paymentsWhere = (regionId: string, filter: TransactionFilter): Sql =>
  joinSql(
    [
      ...dayConditions(regionId, filter),
      ...locationConditions(filter),
      ...hourConditions(filter),
      ...rowConditions(filter),
    ],
    ' and ',
  )

/**
 * Partitions contain whole months, so all versions of a row are in the same one and partitions can be merged
 * separately.
 */
export const fastLatest = sql`settings do_not_merge_across_partitions_select_final = 1`

/** A table from which sums are read, and the condition on its rows. */
export interface SumSource {
  table: ScopedTable
  where: Sql
  /** Whether the rows are sums of payments, rather than payments. */
  isStoredSums: boolean
}

/**
 * If more days than this are pending, their outdated sums are used, because reading so many payments would
 * take too long.
 */
const maxPendingDays = 400

/** Returns the months that are completely in a period and have no pending day. */
export function wholeMonths(
  { start_date: start, end_date: end }: { start_date: LocalDay; end_date: LocalDay },
  pending: readonly string[],
): LocalDay[] {
  const pendingMonths = new Set(pending.map((day) => day.slice(0, 7)))
  const months: LocalDay[] = []
  for (let month = startOfMonth(start); month <= end; month = startOfNextMonth(month)) {
    const last = endOfMonth(month)
    if (month >= start && last <= end && !pendingMonths.has(month.slice(0, 7))) months.push(month)
  }
  return months
}

/**
 * Decides where sums are read: stored sums for days that are up to date, and payments for pending days.
 * `table` is the table of stored sums, null if only payments have the necessary columns. `monthly` are
 * conditions on the sums of whole months, null if they cannot be used.
 */
export function splitSources(
  table: ScopedTable | null,
  period: { start_date: LocalDay; end_date: LocalDay },
  pending: readonly string[],
  conditions: { stored: readonly Sql[]; fresh: readonly Sql[]; day: Sql; monthly: readonly Sql[] | null },
): SumSource[] {
  const { stored, fresh, day, monthly } = conditions
  if (table === null) return [{ table: 'curb_payments', where: joinSql(fresh, ' and '), isStoredSums: false }]
  const unsummedDays = pending.length > maxPendingDays ? [] : pending
  const months = monthly ? wholeMonths(period, unsummedDays) : []
  const monthList = bind('Array(Date)', months)
  const days = bind('Array(Date)', unsummedDays)
  return [
    {
      table,
      where: joinSql(
        [
          ...stored,
          ...(unsummedDays.length ? [sql`day not in ${days}`] : []),
          ...(months.length ? [sql`toStartOfMonth(day) not in ${monthList}`] : []),
        ],
        ' and ',
      ),
      isStoredSums: true,
    },
    ...(monthly && months.length
      ? [
          {
            table: 'curb_payment_place_months' as const,
            where: joinSql([...monthly, sql`month in ${monthList}`], ' and '),
            isStoredSums: true,
          },
        ]
      : []),
    ...(unsummedDays.length
      ? [
          {
            table: 'curb_payments' as const,
            where: joinSql([...fresh, sql`${day} in ${days}`], ' and '),
            isStoredSums: false,
          },
        ]
      : []),
  ]
}

/** Returns where the sums of a filter are read, by location if needed. `pending`: days with outdated sums. */
export function sumSources(
  regionId: string,
  filter: TransactionFilter,
  { pending, byLocation }: { pending: readonly string[]; byLocation: boolean },
): SumSource[] {
  const locations = locationConditions(filter)
  const hours = hourConditions(filter)
  const needsLocations = byLocation || locations.length > 0
  const needsPayments = rowConditions(filter).length > 0 || (needsLocations && hours.length > 0)
  const common = [...dayConditions(regionId, filter), sql`basis = 'paid'`]
  const table = needsPayments ? null : needsLocations ? 'curb_payment_places' : 'curb_payment_hours'
  return splitSources(table, filter, pending, {
    stored: needsLocations ? [...common, ...locations] : [...common, ...hours],
    fresh: [paymentsWhere(regionId, filter)],
    day: sql`day`,
    monthly:
      byLocation && !hasWeekdays(filter)
        ? [...classConditions(regionId, filter), sql`basis = 'paid'`, ...locations]
        : null,
  })
}

/** Returns the number of payments without a zone. Sums by hour do not have it. */
function unlinkedCount(table: ScopedTable, isStoredSums: boolean): Sql {
  if (table === 'curb_payment_hours') return sql`toUInt64(0)`
  return isStoredSums ? sql`sumIf(payments, zone_id = '')` : sql`countIf(zone_id = '')`
}

/** Returns a statement for the sums of payments by a key and kind. */
export const sumsBy = ({ table, where, isStoredSums }: SumSource, keys: Sql): Sql => sql`
  select
    ${keys},
    kind,
    toString(${isStoredSums ? sql`sum(payments)` : sql`count()`}) as payment_count,
    toString(sum(amount)) as amount_sum,
    toString(sum(${isStoredSums ? sql`sessions` : sql`starts_session`})) as session_count,
    toString(sum(ifNull(purchased_seconds, 0))) as seconds_sum,
    toString(${unlinkedCount(table, isStoredSums)}) as unlinked
  from ${latest(table)}
  where ${where}
  group by ${keys}, kind
  ${fastLatest}`

/** A result of `sumsBy`. The columns are not named as those of the tables, which would hide them. */
export interface SumRow {
  key: string
  kind: string
  payment_count: string
  amount_sum: string
  session_count: string
  seconds_sum: string
  unlinked: string
}
