import { csvLine } from '#contract/csv.ts'
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
import { dayNumber, type LocalDay } from '#contract/period.ts'
import { listDirtyBetween } from '#server/derived/dirty-spans.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { listLocations } from '../locations.ts'
import { paymentSums } from '../sums/payment-sums-product.ts'
import { fastLatest, paymentsWhere, rateColumn, type SumRow, sumsBy, sumSources } from './payment-filter.ts'

export interface PaymentSources {
  state: State
  facts: Facts
}
export interface PaymentsContext {
  scope: Scope
  regionId: string
  signal: AbortSignal
}

type Order = (typeof transactionOrders)[number]
const orderColumns: Record<Order, Sql> = {
  paid_time: sql`paid_time`,
  amount: sql`amount`,
  duration: sql`purchased_seconds`,
  location: sql`location_id`,
  vendor: sql`vendor`,
  payment_type: sql`payment_type`,
}

interface Row {
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

const columns = sql`
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

/** Sums of the payments that match a filter, by a key. */
interface SumQuery {
  filter: TransactionFilter
  /** The column `key`. */
  key: Sql
  /** Days with outdated sums. */
  pending: readonly string[]
  /** Whether the sums are needed by location. */
  byPlace: boolean
}

/** A key may occur twice in the result, with sums from different tables. */
async function readSums(
  { facts }: PaymentSources,
  { scope, regionId, signal }: PaymentsContext,
  { filter, key, pending, byPlace }: SumQuery,
): Promise<SumRow[]> {
  const sources = sumSources(regionId, filter, { pending, byPlace })
  const rows = await Promise.all(
    sources.map((source) => facts.rows<SumRow>(scope, sumsBy(source, key), { signal })),
  )
  return rows.flat()
}

/** Returns the numbers of the payments that match a filter by local day, in order of the days. */
async function countByDay(
  sources: PaymentSources,
  context: PaymentsContext,
  filter: TransactionFilter,
): Promise<DayCount[]> {
  const rows = await readSums(sources, context, {
    filter,
    key: sql`toString(day) as key`,
    pending: await listPendingDays(sources, context, filter),
    byPlace: false,
  })
  const counts = new Map<LocalDay, number>()
  for (const row of rows) counts.set(row.key, (counts.get(row.key) ?? 0) + Number(row.rows))
  return [...counts]
    .map(([day, count]) => ({ day, count }))
    .toSorted((a, b) => dayNumber(a.day) - dayNumber(b.day))
}

interface DayCount {
  day: LocalDay
  count: number
}

/** Returns the days of a period with outdated stored sums. */
export const listPendingDays = (
  { state }: PaymentSources,
  { scope, regionId }: PaymentsContext,
  { start_date: first, end_date: last }: { start_date: LocalDay; end_date: LocalDay },
): Promise<string[]> =>
  listDirtyBetween(state, scope, { product: paymentSums, regionId, parts: [''] }, { first, last })

const toIso = (seconds: number): string => new Date(seconds * 1000).toISOString()
const toIsoOrNull = (seconds: number | null): string | null => (seconds === null ? null : toIso(seconds))

const toTransaction = (row: Row, names: ReadonlyMap<string, string>): Transaction => ({
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

async function readLocationNames({ state }: PaymentSources, { scope, regionId }: PaymentsContext) {
  const locations = await listLocations(state.as(scope), regionId)
  return new Map(locations.map(({ location_id: id, name }) => [id, name]))
}

/**
 * Finds days that contain a page of payments ordered by time, and how many payments of these days precede the
 * page. Null if the page is after the last payment.
 */
function findPageDays(
  days: readonly DayCount[],
  { page, size }: { page: number; size: number },
): { days: readonly DayCount[]; offset: number } | null {
  let offset = (page - 1) * size
  const first = days.findIndex(({ count }) => {
    if (offset < count) return true
    offset -= count
    return false
  })
  if (first < 0) return null
  let [end, rows] = [first, -offset]
  while (end < days.length && rows < size) rows += days[end++]?.count ?? 0
  return { days: days.slice(first, end), offset }
}

/**
 * Returns a page of payments. If it is ordered by time, only the days of the page are read; the sums of days
 * tell which ones these are.
 */
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
    const found = findPageDays(isDescending ? days.toReversed() : days, { page, size })
    if (!found) return { items: [], total, page, size }
    const pageDays = found.days.map(({ day }) => day).toSorted()
    pageFilter = { ...filter, start_date: pageDays[0] as LocalDay, end_date: pageDays.at(-1) as LocalDay }
    offset = found.offset
  }
  const direction = isDescending ? sql`desc` : sql`asc`
  const rows = await sources.facts.rows<Row>(
    scope,
    sql`
    select ${columns}
    from ${latest('curb_payments')}
    where ${paymentsWhere(regionId, pageFilter)}
    order by ${orderColumns[column]} ${direction} nulls last, paid_time ${direction}, row_key ${direction}
    limit ${bind('UInt32', size)} offset ${bind('UInt64', offset)}
    ${fastLatest}`,
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
    byPlace: true,
  })
  const sumColumn = (
    kinds: readonly string[],
    field: 'rows' | 'total' | 'session_sum' | 'second_sum' | 'unlinked',
  ) => rows.filter(({ kind }) => kinds.includes(kind)).reduce((sum, row) => sum + Number(row[field]), 0)
  return {
    payments: sumColumn(['counted'], 'rows'),
    received: sumColumn(['counted'], 'total'),
    refunded: sumColumn(['refund'], 'total'),
    revenue: sumColumn(revenuePaymentKinds, 'total'),
    sessions: sumColumn(['counted'], 'session_sum'),
    purchased_seconds: sumColumn(['counted'], 'second_sum'),
    kinds: paymentKinds.flatMap((kind) => {
      const [count, amount] = [sumColumn([kind], 'rows'), sumColumn([kind], 'total')]
      return count ? [{ kind, rows: count, amount }] : []
    }),
    unlinked: sumColumn(revenuePaymentKinds, 'unlinked'),
    pending_days: pending.length,
  }
}

/** Returns locations with payments that match a filter, with their sums. */
export async function listTransactionLocations(
  sources: PaymentSources,
  context: PaymentsContext,
  filter: TransactionFilter,
): Promise<(PaymentLocation & { payments: number; revenue: number })[]> {
  const pending = await listPendingDays(sources, context, filter)
  const [rows, locations] = await Promise.all([
    readSums(sources, context, { filter, key: sql`toString(location_id) as key`, pending, byPlace: true }),
    listLocations(sources.state.as(context.scope), context.regionId),
  ])
  const sums = new Map<string, { payments: number; revenue: number }>()
  for (const { key, kind, rows: count, total } of rows) {
    const sum = sums.get(key) ?? { payments: 0, revenue: 0 }
    if (kind !== 'refund') sum.payments += Number(count)
    sum.revenue += Number(total)
    sums.set(key, sum)
  }
  return locations.flatMap((location) => {
    const sum = sums.get(location.location_id)
    return sum ? [{ ...location, ...sum }] : []
  })
}

/** A statement for the CSV reads whole days, until they have at least this many payments. */
const rowsPerStatement = 50_000

const csvColumns = [
  'transaction_id',
  'vendor',
  'kind',
  'paid_time',
  'start_time',
  'end_time',
  'purchased_seconds',
  'location_id',
  'location_name',
  'curb_zone_id',
  'payment_type',
  'amount',
  'rate',
  'session_id',
] as const satisfies readonly (keyof Transaction)[]

/** Streams payments that match a filter as CSV, in order of time. Amounts in minor units, times in UTC. */
export async function* streamTransactionsCsv(
  sources: PaymentSources,
  context: PaymentsContext,
  filter: TransactionFilter,
): AsyncGenerator<string> {
  yield `${csvLine(csvColumns)}\r\n`
  const names = await readLocationNames(sources, context)
  for (const days of groupDays(await countByDay(sources, context, filter))) {
    const rows = await sources.facts.rows<Row>(
      context.scope,
      sql`
      select ${columns}
      from ${latest('curb_payments')}
      where ${paymentsWhere(context.regionId, { ...filter, ...days })}
      order by paid_time, row_key
      ${fastLatest}`,
      { signal: context.signal, limits: { seconds: 120 } },
    )
    let text = ''
    for (const row of rows) {
      const transaction = toTransaction(row, names)
      text += `${csvLine(csvColumns.map((name) => transaction[name]))}\r\n`
      if (text.length < 1 << 18) continue
      yield text
      text = ''
    }
    if (text !== '') yield text
  }
}

/** Groups successive days until they have `rowsPerStatement` payments. */
function* groupDays(days: readonly DayCount[]): Generator<{ start_date: LocalDay; end_date: LocalDay }> {
  let first: LocalDay | null = null
  let rows = 0
  for (const [index, { day, count }] of days.entries()) {
    first ??= day
    rows += count
    if (rows < rowsPerStatement && index < days.length - 1) continue
    yield { start_date: first, end_date: day }
    first = null
    rows = 0
  }
}
