import { type PaymentBasis, paymentBases } from '#contract/curb-payments.ts'
import { dayMs, type LocalDay } from '#contract/period.ts'
import {
  bind,
  columnsWith,
  deletionColumns,
  latest,
  type ScopedTable,
  type Sql,
  sql,
  versionValue,
} from '#server/stores/sql.ts'
import { maxPrepaidMs } from '../payment.ts'

/** The local days of a payment and of its parking differ by at most this many days (`getParkedTime`). */
const prepaidDays = Math.ceil(maxPrepaidMs / dayMs) + 1

const classColumns = ['vendor', 'payment_type', 'kind'] as const
const valueColumns = ['payments', 'amount', 'sessions', 'purchased_seconds'] as const

/** Tables of sums and their keys besides region, basis, day and class. */
export const sumTables = [
  { table: 'curb_payment_hours', keys: ['hour'] },
  { table: 'curb_payment_places', keys: ['zone_id', 'location_id'] },
] as const
type SumTable = (typeof sumTables)[number]

/** Returns the columns of a table of sums, in the order of inserted rows. */
export const sumColumns = ({ keys }: SumTable): string[] => [
  'region_id',
  'basis',
  'day',
  ...keys,
  ...classColumns,
  ...valueColumns,
  'is_deleted',
  'version',
]

/** Consecutive local days of a region. */
export interface SumDays {
  regionId: string
  first: LocalDay
  last: LocalDay
}

const betweenDaysCondition = (column: Sql, { first, last }: SumDays): Sql =>
  sql`${column} between ${bind('Date', first)} and ${bind('Date', last)}`

/** Builds SQL for the day and hour at which an amount counts, and the condition for payments of some days. */
function getTimes(basis: PaymentBasis, days: SumDays): { day: Sql; hour: Sql; condition: Sql } {
  if (basis === 'paid')
    return { day: sql`day`, hour: sql`hour`, condition: betweenDaysCondition(sql`day`, days) }
  return {
    day: sql`parked_day`,
    hour: sql`parked_hour`,
    // Payments are stored by the day of payment.
    condition: sql`${betweenDaysCondition(sql`parked_day`, days)}
    and day between ${bind('Date', days.first)} - ${bind('UInt8', prepaidDays)}
      and ${bind('Date', days.last)} + ${bind('UInt8', prepaidDays)}`,
  }
}

/** Builds SQL for the sums of payments in a range of local days, by time of payment or time of parking. */
export const sumRows = (table: SumTable, basis: PaymentBasis, days: SumDays, version: bigint): Sql => {
  const { day, hour, condition } = getTimes(basis, days)
  const keys = columnsWith(table.keys, { hour })
  const classes = columnsWith(classColumns)
  return sql`
  select
    region_id,
    ${bind('String', basis)},
    ${day},
    ${keys},
    ${classes},
    toUInt32(count()),
    sum(amount),
    toUInt32(sum(starts_session)),
    toUInt64(sum(ifNull(purchased_seconds, 0))),
    toUInt8(0),
    ${versionValue(version)}
  from ${latest('curb_payments')}
  where region_id = ${bind('String', days.regionId)} and ${condition}
  group by region_id, ${day}, ${keys}, ${classes}`
}

/** Builds SQL that deletes sums in a range of days that the derivation of this version did not write. */
export const sumDeletionRows = (table: SumTable, days: SumDays, version: bigint): Sql => sql`
  select ${deletionColumns(sumColumns(table), version)}
  from ${latest(table.table satisfies ScopedTable)}
  where region_id = ${bind('String', days.regionId)}
    and basis in ${bind('Array(String)', paymentBases)}
    and ${betweenDaysCondition(sql`day`, days)}
    and version < ${versionValue(version)}`

const monthKeys = ['zone_id', 'location_id', ...classColumns] as const
export const monthColumns = [
  'region_id',
  'basis',
  'month',
  ...monthKeys,
  ...valueColumns,
  'is_deleted',
  'version',
] as const

/** Builds SQL that sums the months of a range of days by place, from the sums of all days of these months. */
export const monthRows = (days: SumDays, version: bigint): Sql => {
  const keys = columnsWith(monthKeys)
  return sql`
  select
    region_id,
    basis,
    toStartOfMonth(day) as of_month,
    ${keys},
    toUInt32(sum(payments)),
    sum(amount),
    toUInt32(sum(sessions)),
    toUInt64(sum(purchased_seconds)),
    toUInt8(0),
    ${versionValue(version)}
  from ${latest('curb_payment_places')}
  where region_id = ${bind('String', days.regionId)}
    and basis in ${bind('Array(String)', paymentBases)}
    and day >= toStartOfMonth(${bind('Date', days.first)})
    and day <= toLastDayOfMonth(${bind('Date', days.last)})
  group by region_id, basis, of_month, ${keys}`
}

/** Builds SQL that deletes months of a range of days that the derivation of this version did not write. */
export const monthDeletionRows = (days: SumDays, version: bigint): Sql => sql`
  select ${deletionColumns(monthColumns, version)}
  from ${latest('curb_payment_place_months')}
  where region_id = ${bind('String', days.regionId)}
    and basis in ${bind('Array(String)', paymentBases)}
    and month between toStartOfMonth(${bind('Date', days.first)}) and toStartOfMonth(${bind('Date', days.last)})
    and version < ${versionValue(version)}`
