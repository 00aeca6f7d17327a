import { csvLine } from '#contract/csv.ts'
import type { Transaction, TransactionFilter } from '#contract/curb-payments.ts'
import type { LocalDay } from '#contract/period.ts'
import { latest, sql } from '#server/stores/sql.ts'
import {
  readLocationNames,
  toTransaction,
  transactionColumns,
  type TransactionRow,
} from './list-transactions.ts'
import { filterCondition, mergePartitionsSeparately } from './payment-conditions.ts'
import { countByDay, type DayCount, type PaymentsContext, type PaymentSources } from './payment-sums.ts'

/** Each statement for the CSV reads successive days that together have at least this many payments. */
const rowsPerStatement = 50_000
/** Text is sent when it is this long. */
const charactersPerChunk = 256 * 1024

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
    const rows = await sources.facts.rows<TransactionRow>(
      context.scope,
      sql`
      select ${transactionColumns}
      from ${latest('curb_payments')}
      where ${filterCondition(context.regionId, { ...filter, ...days })}
      order by paid_time, row_key
      ${mergePartitionsSeparately}`,
      { signal: context.signal, limits: { seconds: 120 } },
    )
    let text = ''
    for (const row of rows) {
      const transaction = toTransaction(row, names)
      text += `${csvLine(csvColumns.map((name) => transaction[name]))}\r\n`
      if (text.length < charactersPerChunk) continue
      yield text
      text = ''
    }
    if (text !== '') yield text
  }
}

/** Groups successive days until they have `rowsPerStatement` payments. */
function* groupDays(days: readonly DayCount[]): Generator<{ start_date: LocalDay; end_date: LocalDay }> {
  let firstDay: LocalDay | null = null
  let rows = 0
  for (const [index, { day, count }] of days.entries()) {
    firstDay ??= day
    rows += count
    if (rows < rowsPerStatement && index < days.length - 1) continue
    yield { start_date: firstDay, end_date: day }
    firstDay = null
    rows = 0
  }
}
