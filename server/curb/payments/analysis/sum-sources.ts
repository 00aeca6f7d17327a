import type { TransactionFilter } from '#contract/curb-payments.ts'
import { type LocalDay, endOfMonth, startOfMonth, startOfNextMonth } from '#contract/period.ts'
import { bind, joinSql, latest, type ScopedTable, type Sql, sql } from '#server/stores/sql.ts'
import {
  dayConditions,
  filterCondition,
  hourConditions,
  isLimitedToWeekdays,
  locationConditions,
  mergePartitionsSeparately,
  paymentConditions,
  sharedConditions,
} from './payment-conditions.ts'

/** A table from which sums are read, and the condition on its rows. */
export interface SumSource {
  table: ScopedTable
  where: Sql
  /** Whether rows are sums of several payments, not single payments. */
  isPreaggregated: boolean
}

/** If more days are pending, their outdated sums are used: reading so many payments would take too long. */
const maxPendingDays = 400

/** Lists the months that lie entirely within a period and have no pending day. */
export function listSummedMonths(
  { start_date: start, end_date: end }: { start_date: LocalDay; end_date: LocalDay },
  pending: readonly string[],
): LocalDay[] {
  const pendingMonths = new Set(pending.map((day) => day.slice(0, 7)))
  const months: LocalDay[] = []
  for (let month = startOfMonth(start); month <= end; month = startOfNextMonth(month)) {
    const monthEnd = endOfMonth(month)
    if (month >= start && monthEnd <= end && !pendingMonths.has(month.slice(0, 7))) months.push(month)
  }
  return months
}

/** Conditions on the tables from which sums may be read. */
interface SourceConditions {
  daySumConditions: readonly Sql[]
  paymentConditions: readonly Sql[]
  /** The column with the day of a payment. */
  paymentDayColumn: Sql
  /** Null if monthly sums cannot be used. */
  monthSumConditions: readonly Sql[] | null
}

/**
 * Chooses where sums are read: pending days from payments, complete months without pending days from monthly
 * sums, and all other days from daily sums.
 * @param table the table of daily sums; null if only payments have the necessary columns
 */
export function chooseSumSources(
  table: ScopedTable | null,
  period: { start_date: LocalDay; end_date: LocalDay },
  pending: readonly string[],
  { daySumConditions, paymentConditions, paymentDayColumn, monthSumConditions }: SourceConditions,
): SumSource[] {
  if (table === null)
    return [{ table: 'curb_payments', where: joinSql(paymentConditions, ' and '), isPreaggregated: false }]
  const daysFromPayments = pending.length > maxPendingDays ? [] : pending
  const months = monthSumConditions ? listSummedMonths(period, daysFromPayments) : []
  const monthList = bind('Array(Date)', months)
  const dayList = bind('Array(Date)', daysFromPayments)
  return [
    {
      table,
      where: joinSql(
        [
          ...daySumConditions,
          ...(daysFromPayments.length ? [sql`day not in ${dayList}`] : []),
          ...(months.length ? [sql`toStartOfMonth(day) not in ${monthList}`] : []),
        ],
        ' and ',
      ),
      isPreaggregated: true,
    },
    ...(monthSumConditions && months.length
      ? [
          {
            table: 'curb_payment_place_months' as const,
            where: joinSql([...monthSumConditions, sql`month in ${monthList}`], ' and '),
            isPreaggregated: true,
          },
        ]
      : []),
    ...(daysFromPayments.length
      ? [
          {
            table: 'curb_payments' as const,
            where: joinSql([...paymentConditions, sql`${paymentDayColumn} in ${dayList}`], ' and '),
            isPreaggregated: false,
          },
        ]
      : []),
  ]
}

/**
 * Lists where the sums of a filter are read.
 * @param pending days with outdated sums
 * @param byLocation whether the sums are needed by location; only these exist by month
 */
export function listSumSources(
  regionId: string,
  filter: TransactionFilter,
  { pending, byLocation }: { pending: readonly string[]; byLocation: boolean },
): SumSource[] {
  const locations = locationConditions(filter)
  const hours = hourConditions(filter)
  const needsLocations = byLocation || locations.length > 0
  const needsPayments = paymentConditions(filter).length > 0 || (needsLocations && hours.length > 0)
  const common = [...dayConditions(regionId, filter), sql`basis = 'paid'`]
  const sumTable = needsLocations ? 'curb_payment_places' : 'curb_payment_hours'
  return chooseSumSources(needsPayments ? null : sumTable, filter, pending, {
    daySumConditions: needsLocations ? [...common, ...locations] : [...common, ...hours],
    paymentConditions: [filterCondition(regionId, filter)],
    paymentDayColumn: sql`day`,
    monthSumConditions:
      byLocation && !isLimitedToWeekdays(filter)
        ? [...sharedConditions(regionId, filter), sql`basis = 'paid'`, ...locations]
        : null,
  })
}

/** Builds SQL for the number of payments without a zone. Sums by hour do not have it. */
function unlinkedCountSql(table: ScopedTable, isPreaggregated: boolean): Sql {
  if (table === 'curb_payment_hours') return sql`toUInt64(0)`
  return isPreaggregated ? sql`sumIf(payments, zone_id = '')` : sql`countIf(zone_id = '')`
}

/**
 * Builds SQL for the sums of payments by a key and kind, as `SumRow`.
 * @param keyColumn an expression with the alias `key`
 */
export const sumsByKeySql = ({ table, where, isPreaggregated }: SumSource, keyColumn: Sql): Sql => sql`
  select
    ${keyColumn},
    kind,
    toString(${isPreaggregated ? sql`sum(payments)` : sql`count()`}) as payment_count,
    toString(sum(amount)) as amount_sum,
    toString(sum(${isPreaggregated ? sql`sessions` : sql`starts_session`})) as session_count,
    toString(sum(ifNull(purchased_seconds, 0))) as seconds_sum,
    toString(${unlinkedCountSql(table, isPreaggregated)}) as unlinked_count
  from ${latest(table)}
  where ${where}
  group by ${keyColumn}, kind
  ${mergePartitionsSeparately}`

/** Columns have suffixes because in ClickHouse an alias like a column's name would hide the column. */
export interface SumRow {
  key: string
  kind: string
  payment_count: string
  amount_sum: string
  session_count: string
  seconds_sum: string
  unlinked_count: string
}
