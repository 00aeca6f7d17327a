import type { TransactionFilter } from '#contract/curb-payments.ts'
import { dayNumber, type LocalDay } from '#contract/period.ts'
import { listDirtyBetween } from '#server/derived/dirty-spans.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'
import { paymentSums } from '../sums/payment-sums-product.ts'
import { listSumSources, type SumRow, sumsByKeySql } from './sum-sources.ts'

export interface PaymentSources {
  state: State
  facts: Facts
}
export interface PaymentsContext {
  scope: Scope
  regionId: string
  signal: AbortSignal
}

/** Sums of the payments that match a filter, by a key. */
interface SumQuery {
  filter: TransactionFilter
  /** The column `key`. */
  key: Sql
  /** Days with outdated sums. */
  pending: readonly string[]
  /** Whether the sums are needed by location. */
  byLocation: boolean
}

/** Reads sums by key and kind. A key may occur twice in the result, with sums from different tables. */
export async function readSums(
  { facts }: PaymentSources,
  { scope, regionId, signal }: PaymentsContext,
  { filter, key, pending, byLocation }: SumQuery,
): Promise<SumRow[]> {
  const sources = listSumSources(regionId, filter, { pending, byLocation })
  const rows = await Promise.all(
    sources.map((source) => facts.rows<SumRow>(scope, sumsByKeySql(source, key), { signal })),
  )
  return rows.flat()
}

/** Counts the payments that match a filter by local day, in order of the days. */
export async function countByDay(
  sources: PaymentSources,
  context: PaymentsContext,
  filter: TransactionFilter,
): Promise<DayCount[]> {
  const rows = await readSums(sources, context, {
    filter,
    key: sql`toString(day) as key`,
    pending: await listPendingDays(sources, context, filter),
    byLocation: false,
  })
  const counts = new Map<LocalDay, number>()
  for (const row of rows) counts.set(row.key, (counts.get(row.key) ?? 0) + Number(row.payment_count))
  return [...counts]
    .map(([day, count]) => ({ day, count }))
    .toSorted((a, b) => dayNumber(a.day) - dayNumber(b.day))
}

export interface DayCount {
  day: LocalDay
  count: number
}

/** Lists the days of a period with outdated stored sums. */
export const listPendingDays = (
  { state }: PaymentSources,
  { scope, regionId }: PaymentsContext,
  { start_date: first, end_date: last }: { start_date: LocalDay; end_date: LocalDay },
): Promise<string[]> =>
  listDirtyBetween(state, scope, { product: paymentSums, regionId, parts: [''] }, { first, last })
