import type { PaymentDimension, PaymentQuestion } from '#contract/curb-payments.ts'
import { hoursOfRange, isFullDay } from '#contract/period.ts'
import { bind, joinSql, latest, type ScopedTable, type Sql, sql } from '#server/stores/sql.ts'
import { isLimitedToWeekdays, listConditions, mergePartitionsSeparately } from './payment-conditions.ts'
import { chooseSumSources, type SumSource } from './sum-sources.ts'

/** Maximum number of groups in a response. */
export const maxGroups = 50_000

export type Period = Pick<PaymentQuestion, 'start_date' | 'end_date'>

/** Sums of the payments of a period by the keys of dimensions. */
export interface GroupQuery {
  regionId: string
  question: PaymentQuestion
  period: Period
  dimensions: readonly PaymentDimension[]
  /** Null for all zones. */
  zones: readonly string[] | null
  /** Days with outdated stored sums. */
  pending: readonly string[]
}

/** A result of `buildGroupStatements`. */
export interface SumRow {
  keys: string[]
  received: string
  refunded: string
  payment_count: string
  session_count: string
  seconds: string
}
export interface Sums {
  keys: string[]
  received: number
  refunded: number
  payments: number
  sessions: number
  seconds: number
}

/** The columns of a table with the day and hour of a payment or sum. */
interface TimeColumns {
  day: Sql
  hour: Sql
}
const sumTimes: TimeColumns = { day: sql`day`, hour: sql`hour` }
const monthTimes: TimeColumns = { day: sql`month`, hour: sql`toUInt8(0)` }
const getPaymentTimes = ({ basis }: PaymentQuestion): TimeColumns =>
  basis === 'parked' ? { day: sql`parked_day`, hour: sql`parked_hour` } : sumTimes

const locationDimensions: readonly PaymentDimension[] = ['zone', 'location']
/** Dimensions that sums of whole months can be grouped by. */
const monthDimensions: readonly PaymentDimension[] = ['month', 'zone', 'location', 'payment_type', 'vendor']

/** Builds SQL for the value of a dimension. */
function dimensionSql(dimension: PaymentDimension, { day, hour }: TimeColumns): Sql {
  switch (dimension) {
    case 'day':
      return sql`toString(${day})`
    case 'week':
      return sql`toString(toMonday(${day}))`
    case 'month':
      return sql`toString(toStartOfMonth(${day}))`
    case 'day_of_week':
      return sql`toString(toDayOfWeek(${day}))`
    case 'hour_of_day':
      return sql`toString(${hour})`
    case 'zone':
      return sql`toString(zone_id)`
    case 'location':
      return sql`toString(location_id)`
    case 'payment_type':
      return sql`toString(payment_type)`
    case 'vendor':
      return sql`toString(vendor)`
  }
}

/** Builds SQL statements for the sums, from the smallest tables with the necessary columns. */
export function buildGroupStatements(query: GroupQuery): Sql[] {
  const { question, period, dimensions, pending } = query
  const table = chooseSumTable(query)
  const times = getPaymentTimes(question)
  const shared = sharedConditions(query)
  const basis = sql`basis = ${bind('String', question.basis)}`
  const canUseMonths =
    table === 'curb_payment_places' &&
    !isLimitedToWeekdays(question) &&
    dimensions.every((dimension) => monthDimensions.includes(dimension))
  // Payments are stored by the day of payment, at most 3 days from that of parking (`maxPrepaidMs`).
  const nearDays =
    question.basis === 'parked'
      ? [sql`day between ${bind('Date', period.start_date)} - 3 and ${bind('Date', period.end_date)} + 3`]
      : []
  const sources = chooseSumSources(table, period, pending, {
    daySumConditions: [...shared, ...timeConditions(query, sumTimes), basis],
    paymentConditions: [...shared, ...timeConditions(query, times), ...nearDays],
    paymentDayColumn: times.day,
    monthSumConditions: canUseMonths ? [...shared, basis] : null,
  })
  return sources.map((source) => groupSql(source, query))
}

/** Chooses the table of stored sums with the necessary columns. Null if only payments have them. */
function chooseSumTable({ question, dimensions, zones }: GroupQuery): ScopedTable | null {
  const needsLocations =
    zones !== null || dimensions.some((dimension) => locationDimensions.includes(dimension))
  const needsHours = !isFullDay(question.hour_filters) || dimensions.includes('hour_of_day')
  if (needsLocations) return needsHours ? null : 'curb_payment_places'
  return 'curb_payment_hours'
}

/** Builds conditions on columns that all tables of payments and sums have. */
const sharedConditions = ({ regionId, question, zones }: GroupQuery): Sql[] => [
  sql`region_id = ${bind('String', regionId)}`,
  sql`kind in ('counted', 'refund')`,
  ...listConditions(sql`vendor`, question.vendors),
  ...listConditions(sql`payment_type`, question.payment_types),
  ...(zones === null ? [] : [sql`zone_id in ${bind('Array(String)', zones)}`]),
]

const timeConditions = ({ question, period }: GroupQuery, { day, hour }: TimeColumns): Sql[] => [
  sql`${day} between ${bind('Date', period.start_date)} and ${bind('Date', period.end_date)}`,
  ...(isLimitedToWeekdays(question)
    ? [sql`toDayOfWeek(${day}) in ${bind('Array(UInt8)', question.days)}`]
    : []),
  ...(isFullDay(question.hour_filters)
    ? []
    : [sql`${hour} in ${bind('Array(UInt8)', hoursOfRange(question.hour_filters))}`]),
]

/** Builds SQL for revenue, payments and sessions by the values of the dimensions. */
function groupSql({ table, where, isPreaggregated }: SumSource, { question, dimensions }: GroupQuery): Sql {
  const storedTimes = table === 'curb_payment_place_months' ? monthTimes : sumTimes
  const times = isPreaggregated ? storedTimes : getPaymentTimes(question)
  const keys = dimensions.map((dimension) => dimensionSql(dimension, times))
  const payments = isPreaggregated ? sql`sumIf(payments, kind = 'counted')` : sql`countIf(kind = 'counted')`
  const sessions = isPreaggregated ? sql`sum(sessions)` : sql`sum(starts_session)`
  return sql`
  select
    ${keys.length ? sql`[${joinSql(keys, ', ')}]` : sql`emptyArrayString()`} as keys,
    toString(sumIf(amount, kind = 'counted')) as received,
    toString(sumIf(amount, kind = 'refund')) as refunded,
    toString(${payments}) as payment_count,
    toString(${sessions}) as session_count,
    toString(sumIf(ifNull(purchased_seconds, 0), kind = 'counted')) as seconds
  from ${latest(table)}
  where ${where}
  group by keys
  limit ${bind('UInt32', maxGroups + 1)}
  ${mergePartitionsSeparately}`
}

/** Adds up the sums with the same keys. */
export function addUpByKeys(rows: readonly SumRow[]): Sums[] {
  const sumsByKey = new Map<string, Sums>()
  for (const { keys, received, refunded, payment_count, session_count, seconds } of rows) {
    const sums = sumsByKey.get(keys.join('\t')) ?? {
      keys,
      received: 0,
      refunded: 0,
      payments: 0,
      sessions: 0,
      seconds: 0,
    }
    sumsByKey.set(keys.join('\t'), sums)
    sums.received += Number(received)
    sums.refunded += Number(refunded)
    sums.payments += Number(payment_count)
    sums.sessions += Number(session_count)
    sums.seconds += Number(seconds)
  }
  return [...sumsByKey.values()]
}
