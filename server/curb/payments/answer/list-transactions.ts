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
import { dayFromNumber, dayNumber, type LocalDay } from '#contract/period.ts'
import { dirtyBetween } from '#server/derived/dirty-spans.ts'
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
export interface AskingPayments {
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

const columns = sql`row_key, vendor, kind, toUnixTimestamp(paid_time) as paid, toUnixTimestamp(start_time) as start, toUnixTimestamp(end_time) as end,
    purchased_seconds as purchased, location_id, zone_id, payment_type, toString(amount) as amount_text, toFloat64(${rateColumn}) as hourly, session_id`

/** Sums of the payments that a filter selects, by a key. The same key may come from two tables. */
async function readSums(
  { facts }: PaymentSources,
  { scope, regionId, signal }: AskingPayments,
  filter: TransactionFilter,
  key: Sql,
  { pending, byPlace }: { pending: readonly string[]; byPlace: boolean },
): Promise<SumRow[]> {
  const sources = sumSources(regionId, filter, { pending, byPlace })
  return (
    await Promise.all(sources.map((source) => facts.rows<SumRow>(scope, sumsBy(source, key), { signal })))
  ).flat()
}

/** Days of a period with outdated sums. */
export const pendingDays = (
  { state }: PaymentSources,
  { scope, regionId }: AskingPayments,
  { start_date: first, end_date: last }: { start_date: LocalDay; end_date: LocalDay },
): Promise<string[]> =>
  dirtyBetween(state, scope, { product: paymentSums, regionId, parts: [''] }, first, last)

const time = (seconds: number): string => new Date(seconds * 1000).toISOString()
const maybeTime = (seconds: number | null): string | null => (seconds === null ? null : time(seconds))

const toTransaction = (row: Row, names: ReadonlyMap<string, string>): Transaction => ({
  transaction_id: row.row_key,
  vendor: row.vendor,
  kind: row.kind,
  paid_time: time(row.paid),
  start_time: maybeTime(row.start),
  end_time: maybeTime(row.end),
  purchased_seconds: row.purchased,
  location_id: row.location_id,
  location_name: names.get(row.location_id) ?? row.location_id,
  curb_zone_id: row.zone_id,
  payment_type: row.payment_type,
  amount: Number(row.amount_text),
  rate: row.hourly === null ? null : Math.round(row.hourly),
  session_id: row.session_id,
})

async function locationNames({ state }: PaymentSources, { scope, regionId }: AskingPayments) {
  const locations = await listLocations(state.as(scope), regionId)
  return new Map(locations.map(({ location_id: id, name }) => [id, name]))
}

/**
 * One page of payments. Ordered by time, only the days of the page are read: how many payments each day has is known from its sums, or
 * counted.
 */
export async function listTransactionsOf(
  sources: PaymentSources,
  asking: AskingPayments,
  {
    page,
    size,
    order_by: order,
    ...filter
  }: TransactionFilter & { page: number; size: number; order_by: Order | `-${Order}` },
) {
  const { facts } = sources
  const { scope, regionId, signal } = asking
  const isDescending = order.startsWith('-')
  const column = (isDescending ? order.slice(1) : order) as Order
  const pending = await pendingDays(sources, asking, filter)
  const byDay = await readSums(sources, asking, filter, sql`toString(day) as key`, {
    pending,
    byPlace: false,
  })
  const counts = new Map<LocalDay, number>()
  for (const { key, rows } of byDay) counts.set(key, (counts.get(key) ?? 0) + Number(rows))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let offset = (page - 1) * size
  let span: TransactionFilter = filter
  if (column === 'paid_time') {
    const days = [...counts.keys()].toSorted()
    const ordered = isDescending ? days.toReversed() : days
    const first = ordered.findIndex((day) => {
      const count = counts.get(day) ?? 0
      if (offset < count) return true
      offset -= count
      return false
    })
    if (first < 0) return { items: [], total, page, size }
    let [last, seen] = [first, -offset]
    while (last < ordered.length && (seen += counts.get(ordered[last] as LocalDay) ?? 0) < size) last++
    const ends = [ordered[first], ordered[Math.min(last, ordered.length - 1)]].toSorted() as [
      LocalDay,
      LocalDay,
    ]
    span = { ...filter, start_date: ends[0], end_date: ends[1] }
  }
  const direction = isDescending ? sql`desc` : sql`asc`
  const rows = await facts.rows<Row>(
    scope,
    sql`
    select ${columns}
    from ${latest('curb_payments')}
    where ${paymentsWhere(regionId, span)}
    order by ${orderColumns[column]} ${direction} nulls last, paid_time ${direction}, row_key ${direction}
    limit ${bind('UInt32', size)} offset ${bind('UInt64', offset)}
    ${fastLatest}`,
    { signal },
  )
  const names = await locationNames(sources, asking)
  return { items: rows.map((row) => toTransaction(row, names)), total, page, size }
}

/** Totals of the payments that a filter selects. Amounts that were not received are counted apart, by kind. */
export async function transactionStatistics(
  sources: PaymentSources,
  asking: AskingPayments,
  filter: TransactionFilter,
): Promise<TransactionStatistics> {
  const pending = await pendingDays(sources, asking, filter)
  const all = { ...filter, kinds: filter.kinds.length ? filter.kinds : [...paymentKinds] }
  const rows = await readSums(sources, asking, all, sql`'' as key`, { pending, byPlace: true })
  const ofKinds = (
    kinds: readonly string[],
    field: 'rows' | 'total' | 'session_sum' | 'second_sum' | 'unlinked',
  ) => rows.filter(({ kind }) => kinds.includes(kind)).reduce((sum, row) => sum + Number(row[field]), 0)
  return {
    payments: ofKinds(['counted'], 'rows'),
    received: ofKinds(['counted'], 'total'),
    refunded: ofKinds(['refund'], 'total'),
    revenue: ofKinds(revenuePaymentKinds, 'total'),
    sessions: ofKinds(['counted'], 'session_sum'),
    purchased_seconds: ofKinds(['counted'], 'second_sum'),
    kinds: paymentKinds.flatMap((kind) => {
      const [count, amount] = [ofKinds([kind], 'rows'), ofKinds([kind], 'total')]
      return count ? [{ kind, rows: count, amount }] : []
    }),
    unlinked: ofKinds(revenuePaymentKinds, 'unlinked'),
    pending_days: pending.length,
  }
}

/** Locations of the payments that a filter selects, with their sums. */
export async function transactionLocations(
  sources: PaymentSources,
  asking: AskingPayments,
  filter: TransactionFilter,
): Promise<(PaymentLocation & { payments: number; revenue: number })[]> {
  const pending = await pendingDays(sources, asking, filter)
  const [rows, locations] = await Promise.all([
    readSums(sources, asking, filter, sql`toString(location_id) as key`, { pending, byPlace: true }),
    listLocations(sources.state.as(asking.scope), asking.regionId),
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

/** Payments that one statement of a CSV reads at most, roughly: whole days. */
const rowsPerPart = 50_000

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

/** All payments that a filter selects, by time. Amounts are minor units, times UTC. */
export async function* transactionsCsv(
  sources: PaymentSources,
  asking: AskingPayments,
  filter: TransactionFilter,
): AsyncGenerator<string> {
  yield `${csvLine(csvColumns)}\r\n`
  const names = await locationNames(sources, asking)
  const pending = await pendingDays(sources, asking, filter)
  const byDay = await readSums(sources, asking, filter, sql`toString(day) as key`, {
    pending,
    byPlace: false,
  })
  const counts = new Map<number, number>()
  for (const { key, rows } of byDay)
    counts.set(dayNumber(key), (counts.get(dayNumber(key)) ?? 0) + Number(rows))
  const days = [...counts.keys()].toSorted((a, b) => a - b)
  for (let at = 0; at < days.length;) {
    const first = days[at] as number
    let [last, rows] = [first, 0]
    do {
      last = days[at] as number
      rows += counts.get(last) ?? 0
      at++
    } while (at < days.length && rows < rowsPerPart)
    const part = { ...filter, start_date: dayFromNumber(first), end_date: dayFromNumber(last) }
    const found = await sources.facts.rows<Row>(
      asking.scope,
      sql`select ${columns} from ${latest('curb_payments')} where ${paymentsWhere(asking.regionId, part)} order by paid_time, row_key ${fastLatest}`,
      { signal: asking.signal, limits: { seconds: 120 } },
    )
    let text = ''
    for (const row of found) {
      const transaction = toTransaction(row, names)
      text += `${csvLine(csvColumns.map((name) => transaction[name]))}\r\n`
      if (text.length < 1 << 18) continue
      yield text
      text = ''
    }
    if (text !== '') yield text
  }
}
