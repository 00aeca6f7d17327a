import {
  type PaymentKind,
  paymentKinds,
  type PaymentLocation,
  revenuePaymentKinds,
  type Transaction,
  type TransactionFilter,
  type transactionOrders,
  type TransactionStatistics,
} from '#contract/curb-payments.ts'
import type { LocalDay } from '#contract/period.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { listLocations } from '../locations.ts'
import { filterCondition, mergePartitionsSeparately, rateColumn } from './payment-conditions.ts'
import {
  countByDay,
  type DayCount,
  listPendingDays,
  type PaymentsContext,
  type PaymentSources,
  readSums,
} from './payment-sums.ts'
import type { SumRow } from './sum-sources.ts'

type Order = (typeof transactionOrders)[number]
const orderColumns: Record<Order, Sql> = {
  paid_time: sql`paid_time`,
  amount: sql`amount`,
  duration: sql`purchased_seconds`,
  location: sql`location_id`,
  vendor: sql`vendor`,
  payment_type: sql`payment_type`,
}

/** A payment as `transactionColumns` select it; times in seconds since 1970. */
export interface TransactionRow {
  row_key: string
  vendor: string
  kind: PaymentKind
  paid: number
  start: number | null
  end: number | null
  purchased: number | null
  location_id: string
  zone_id: string
  payment_type: string
  amount_text: string
  hourly: number | null
  session_id: string
}

/** The columns of `TransactionRow`. */
export const transactionColumns = sql`
      row_key,
      vendor,
      kind,
      toUnixTimestamp(paid_time) as paid,
      toUnixTimestamp(start_time) as start,
      toUnixTimestamp(end_time) as end,
      purchased_seconds as purchased,
      location_id,
      zone_id,
      payment_type,
      toString(amount) as amount_text,
      toFloat64(${rateColumn}) as hourly,
      session_id`

const toIso = (seconds: number): string => new Date(seconds * 1000).toISOString()
const toIsoOrNull = (seconds: number | null): string | null => (seconds === null ? null : toIso(seconds))

export const toTransaction = (row: TransactionRow, names: ReadonlyMap<string, string>): Transaction => ({
  transaction_id: row.row_key,
  vendor: row.vendor,
  kind: row.kind,
  paid_time: toIso(row.paid),
  start_time: toIsoOrNull(row.start),
  end_time: toIsoOrNull(row.end),
  purchased_seconds: row.purchased,
  location_id: row.location_id,
  location_name: names.get(row.location_id) ?? row.location_id,
  curb_zone_id: row.zone_id,
  payment_type: row.payment_type,
  amount: Number(row.amount_text),
  rate: row.hourly === null ? null : Math.round(row.hourly),
  session_id: row.session_id,
})

/** Reads the names of the locations of a region by id. */
export async function readLocationNames({ state }: PaymentSources, { scope, regionId }: PaymentsContext) {
  const locations = await listLocations(state.as(scope), regionId)
  return new Map(locations.map(({ location_id: id, name }) => [id, name]))
}

/** Finds the days of a page of payments by time, and the number before it; null after the last payment. */
function findPageDays(
  days: readonly DayCount[],
  { page, size }: { page: number; size: number },
): { days: readonly DayCount[]; offset: number } | null {
  let offset = (page - 1) * size
  const firstIndex = days.findIndex(({ count }) => {
    if (offset < count) return true
    offset -= count
    return false
  })
  if (firstIndex < 0) return null
  let end = firstIndex
  let rows = -offset
  while (end < days.length && rows < size) rows += days[end++]?.count ?? 0
  return { days: days.slice(firstIndex, end), offset }
}

/** Lists one page of payments. Ordered by time, only the days of the page are read: `countByDay` shows which. */
export async function listTransactions(
  sources: PaymentSources,
  context: PaymentsContext,
  {
    page,
    size,
    order_by: order,
    ...filter
  }: TransactionFilter & { page: number; size: number; order_by: Order | `-${Order}` },
) {
  const { scope, regionId, signal } = context
  const isDescending = order.startsWith('-')
  const column = (isDescending ? order.slice(1) : order) as Order
  const days = await countByDay(sources, context, filter)
  const total = days.reduce((sum, { count }) => sum + count, 0)
  let offset = (page - 1) * size
  let pageFilter: TransactionFilter = filter
  if (column === 'paid_time') {
    const pageRange = findPageDays(isDescending ? days.toReversed() : days, { page, size })
    if (!pageRange) return { items: [], total, page, size }
    const pageDays = pageRange.days.map(({ day }) => day).toSorted()
    pageFilter = { ...filter, start_date: pageDays[0] as LocalDay, end_date: pageDays.at(-1) as LocalDay }
    offset = pageRange.offset
  }
  const direction = isDescending ? sql`desc` : sql`asc`
  const rows = await sources.facts.rows<TransactionRow>(
    scope,
    sql`
    select ${transactionColumns}
    from ${latest('curb_payments')}
    where ${filterCondition(regionId, pageFilter)}
    order by ${orderColumns[column]} ${direction} nulls last, paid_time ${direction}, row_key ${direction}
    limit ${bind('UInt32', size)} offset ${bind('UInt64', offset)}
    ${mergePartitionsSeparately}`,
    { signal },
  )
  const names = await readLocationNames(sources, context)
  return { items: rows.map((row) => toTransaction(row, names)), total, page, size }
}

/** Returns totals of the payments that match a filter. Amounts that were not received are in `kinds` only. */
export async function readTransactionStatistics(
  sources: PaymentSources,
  context: PaymentsContext,
  filter: TransactionFilter,
): Promise<TransactionStatistics> {
  const pending = await listPendingDays(sources, context, filter)
  const allKinds = { ...filter, kinds: filter.kinds.length ? filter.kinds : [...paymentKinds] }
  const rows = await readSums(sources, context, {
    filter: allKinds,
    key: sql`'' as key`,
    pending,
    byLocation: true,
  })
  const sumKinds = (kinds: readonly string[], column: Exclude<keyof SumRow, 'key' | 'kind'>): number =>
    rows.filter(({ kind }) => kinds.includes(kind)).reduce((sum, row) => sum + Number(row[column]), 0)
  return {
    payments: sumKinds(['counted'], 'payment_count'),
    received: sumKinds(['counted'], 'amount_sum'),
    refunded: sumKinds(['refund'], 'amount_sum'),
    revenue: sumKinds(revenuePaymentKinds, 'amount_sum'),
    sessions: sumKinds(['counted'], 'session_count'),
    purchased_seconds: sumKinds(['counted'], 'seconds_sum'),
    kinds: paymentKinds.flatMap((kind) => {
      const rowCount = sumKinds([kind], 'payment_count')
      return rowCount ? [{ kind, rows: rowCount, amount: sumKinds([kind], 'amount_sum') }] : []
    }),
    unlinked: sumKinds(revenuePaymentKinds, 'unlinked_count'),
    pending_days: pending.length,
  }
}

/** Lists locations with payments that match a filter, with their sums. */
export async function listTransactionLocations(
  sources: PaymentSources,
  context: PaymentsContext,
  filter: TransactionFilter,
): Promise<(PaymentLocation & { payments: number; revenue: number })[]> {
  const pending = await listPendingDays(sources, context, filter)
  const [rows, locations] = await Promise.all([
    readSums(sources, context, { filter, key: sql`toString(location_id) as key`, pending, byLocation: true }),
    listLocations(sources.state.as(context.scope), context.regionId),
  ])
  const sums = new Map<string, { payments: number; revenue: number }>()
  for (const { key, kind, payment_count, amount_sum } of rows) {
    const sum = sums.get(key) ?? { payments: 0, revenue: 0 }
    // A refund reduces the revenue, but is not a payment.
    if (kind !== 'refund') sum.payments += Number(payment_count)
    sum.revenue += Number(amount_sum)
    sums.set(key, sum)
  }
  return locations.flatMap((location) => {
    const sum = sums.get(location.location_id)
    return sum ? [{ ...location, ...sum }] : []
  })
}
