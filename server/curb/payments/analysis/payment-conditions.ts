import { revenuePaymentKinds, type TransactionFilter } from '#contract/curb-payments.ts'
import { hoursOfRange, isFullDay } from '#contract/period.ts'
import { bind, joinSql, type Sql, sql } from '#server/stores/sql.ts'

/** The rate in minor units per hour: as reported, or else from the amount and the purchased time, if known. */
export const rateColumn = sql`multiIf(
      rate is not null, rate,
      ifNull(purchased_seconds, 0) > 0 and amount > 0, round(amount * 3600 / purchased_seconds),
      null
    )`

/** Builds the condition that a column has one of some values. Without values, there is no condition. */
export const listConditions = (column: Sql, values: readonly string[]): Sql[] =>
  values.length ? [sql`${column} in ${bind('Array(String)', values)}`] : []

const rangeConditions = (
  column: Sql,
  type: string,
  min: number | undefined,
  max: number | undefined,
): Sql[] => [
  ...(min === undefined ? [] : [sql`${column} >= ${bind(type, min)}`]),
  ...(max === undefined ? [] : [sql`${column} <= ${bind(type, max)}`]),
]

/** Builds conditions on columns that all tables of payments and sums have. */
export const sharedConditions = (regionId: string, filter: TransactionFilter): Sql[] => [
  sql`region_id = ${bind('String', regionId)}`,
  ...listConditions(sql`vendor`, filter.vendors),
  ...listConditions(sql`payment_type`, filter.payment_types),
  sql`kind in ${bind('Array(String)', filter.kinds.length ? filter.kinds : revenuePaymentKinds)}`,
]

/** Whether only some weekdays are requested. Without weekdays, all are. */
export const isLimitedToWeekdays = ({ days }: { days: readonly number[] }): boolean =>
  days.length > 0 && days.length < 7

/** Builds the shared conditions with those on the day. */
export const dayConditions = (regionId: string, filter: TransactionFilter): Sql[] => [
  ...sharedConditions(regionId, filter),
  sql`day between ${bind('Date', filter.start_date)} and ${bind('Date', filter.end_date)}`,
  ...(isLimitedToWeekdays(filter) ? [sql`toDayOfWeek(day) in ${bind('Array(UInt8)', filter.days)}`] : []),
]

export const locationConditions = (filter: TransactionFilter): Sql[] => [
  ...listConditions(sql`zone_id`, filter.zones),
  ...listConditions(sql`location_id`, filter.locations),
]

export const hourConditions = ({ start_time_hour: start, end_time_hour: end }: TransactionFilter): Sql[] =>
  isFullDay([start, end]) ? [] : [sql`hour in ${bind('Array(UInt8)', hoursOfRange([start, end]))}`]

/** Builds conditions on columns that only single payments have. */
export const paymentConditions = (filter: TransactionFilter): Sql[] => {
  const minSeconds = minutesToSeconds(filter.min_minutes)
  const maxSeconds = minutesToSeconds(filter.max_minutes)
  return [
    ...rangeConditions(rateColumn, 'Int64', filter.min_rate, filter.max_rate),
    ...rangeConditions(sql`purchased_seconds`, 'Float64', minSeconds, maxSeconds),
    ...rangeConditions(sql`amount`, 'Int64', filter.min_amount, filter.max_amount),
  ]
}

const minutesToSeconds = (minutes: number | undefined): number | undefined =>
  minutes === undefined ? undefined : minutes * 60

/** Builds the condition for payments that match a filter. */
export const filterCondition = (regionId: string, filter: TransactionFilter): Sql =>
  joinSql(
    [
      ...dayConditions(regionId, filter),
      ...locationConditions(filter),
      ...hourConditions(filter),
      ...paymentConditions(filter),
    ],
    ' and ',
  )

/** Setting of queries on `latest` tables. It is safe: all versions of a row are in one monthly partition. */
export const mergePartitionsSeparately = sql`settings do_not_merge_across_partitions_select_final = 1`
