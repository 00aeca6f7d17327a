import { type PaymentBasis, paymentBases } from '#contract/curb-payments.ts'
import type { LocalDay } from '#contract/period.ts'
import { bind, identifier, joinSql, latest, type ScopedTable, type Sql, sql } from '#server/stores/sql.ts'
import { maxPrepaidMs } from '../payment.ts'

/** The local days of a payment and of its parking differ by at most this many days (`parkedTime`). */
const prepaidDays = Math.ceil(maxPrepaidMs / 86_400_000) + 1

const classColumns = ['vendor', 'payment_type', 'kind'] as const
const valueColumns = ['payments', 'amount', 'sessions', 'purchased_seconds'] as const

/** Tables of sums and their keys besides region, basis, day and class. */
export const sumTables = [
  { table: 'curb_payment_hours', keys: ['hour'] },
  { table: 'curb_payment_places', keys: ['zone_id', 'location_id'] },
] as const
type SumTable = (typeof sumTables)[number]

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

/** Successive local days of a region. */
export interface SumDays {
  regionId: string
  first: LocalDay
  last: LocalDay
}

const betweenDays = (column: Sql, { first, last }: SumDays): Sql =>
  sql`${column} between ${bind('Date', first)} and ${bind('Date', last)}`

/** Sums of payments of some days, by the time of the payment or of the parking. */
export const sumRows = (table: SumTable, basis: PaymentBasis, days: SumDays, version: bigint): Sql => {
  const isParked = basis === 'parked'
  const dayCondition = isParked
    ? sql`${betweenDays(sql`parked_day`, days)} and day between ${bind('Date', days.first)} - ${bind('UInt8', prepaidDays)} and ${bind('Date', days.last)} + ${bind('UInt8', prepaidDays)}`
    : betweenDays(sql`day`, days)
  const keyColumns: Record<string, Sql> = {
    hour: isParked ? sql`parked_hour` : sql`hour`,
    zone_id: sql`zone_id`,
    location_id: sql`location_id`,
  }
  const keys = joinSql(
    [
      sql`region_id`,
      isParked ? sql`parked_day` : sql`day`,
      ...table.keys.map((key) => keyColumns[key] as Sql),
      ...classColumns.map((name) => identifier(name)),
    ],
    ', ',
  )
  return sql`
  select region_id, ${bind('String', basis)}, ${isParked ? sql`parked_day` : sql`day`}, ${joinSql(
    table.keys.map((key) => keyColumns[key] as Sql),
    ', ',
  )}, vendor, payment_type, kind,
    toUInt32(count()), sum(amount), toUInt32(sum(starts_session)), toUInt64(sum(ifNull(purchased_seconds, 0))), toUInt8(0), ${bind('UInt64', String(version))}
  from ${latest('curb_payments')}
  where region_id = ${bind('String', days.regionId)} and ${dayCondition}
  group by ${keys}`
}

/** Deletion rows for sums of some days that the derivation of this version did not write again. */
export const withdrawnSums = (table: SumTable, days: SumDays, version: bigint): Sql => sql`
  select ${joinSql(
    sumColumns(table).map((name) =>
      name === 'is_deleted'
        ? sql`toUInt8(1)`
        : name === 'version'
          ? sql`${bind('UInt64', String(version))}`
          : identifier(name),
    ),
    ', ',
  )}
  from ${latest(table.table satisfies ScopedTable)}
  where region_id = ${bind('String', days.regionId)} and basis in ${bind('Array(String)', paymentBases)}
    and ${betweenDays(sql`day`, days)} and version < ${bind('UInt64', String(version))}`

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

const monthCondition = (column: Sql, { first, last }: SumDays): Sql =>
  sql`${column} between toStartOfMonth(${bind('Date', first)}) and toStartOfMonth(${bind('Date', last)})`

/** Sums by place of the months of some days, from the stored sums of all days of these months. */
export const monthRows = (days: SumDays, version: bigint): Sql => {
  const keys = joinSql(
    monthKeys.map((name) => identifier(name)),
    ', ',
  )
  return sql`
  select region_id, basis, toStartOfMonth(day) as of_month, ${keys},
    toUInt32(sum(payments)), sum(amount), toUInt32(sum(sessions)), toUInt64(sum(purchased_seconds)), toUInt8(0), ${bind('UInt64', String(version))}
  from ${latest('curb_payment_places')}
  where region_id = ${bind('String', days.regionId)} and basis in ${bind('Array(String)', paymentBases)}
    and day >= toStartOfMonth(${bind('Date', days.first)}) and day <= toLastDayOfMonth(${bind('Date', days.last)})
  group by region_id, basis, of_month, ${keys}`
}

/** Deletion rows for the months of some days that the derivation of this version did not write again. */
export const withdrawnMonths = (days: SumDays, version: bigint): Sql => sql`
  select ${joinSql(
    monthColumns.map((name) =>
      name === 'is_deleted'
        ? sql`toUInt8(1)`
        : name === 'version'
          ? sql`${bind('UInt64', String(version))}`
          : identifier(name),
    ),
    ', ',
  )}
  from ${latest('curb_payment_place_months')}
  where region_id = ${bind('String', days.regionId)} and basis in ${bind('Array(String)', paymentBases)}
    and ${monthCondition(sql`month`, days)} and version < ${bind('UInt64', String(version))}`
