import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PaymentQuestion, type TransactionFilter } from '#contract/curb-payments.ts'
import { addDays } from '#contract/period.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { aggregatePayments } from '#server/curb/payments/analysis/aggregate-payments.ts'
import { CurbIndexes } from '#server/curb/store/curb-index.ts'
import {
  listTransactions,
  listTransactionLocations,
  readTransactionStatistics,
} from '#server/curb/payments/analysis/list-transactions.ts'
import {
  deletePayments,
  queueStep,
  receivePaymentFile,
  startPayments,
} from '#server/curb/payments/manage-payment-imports.ts'
import { readPaymentImport } from '#server/curb/payments/payment-import-store.ts'
import { paymentTableColumns } from '#server/curb/payments/payment-rows.ts'
import { computeRevenueTotals } from '#server/billing/curb/revenue.ts'
import { SessionFeeCache } from '#server/curb/revenue/session-fee-cache.ts'
import { paymentSums } from '#server/curb/payments/sums/payment-sums-product.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { bind, sql } from '#server/stores/sql.ts'
import type { Bench } from './open-bench.ts'
import { type Report, measureMs, measureRuns } from './table.ts'

const fileRows = 500_000
const [locations, days] = [3000, 1826]
const firstDay = '2020-01-01'
const lastDay = addDays(firstDay, days - 1)

/** Writes a payment file in the layout of a vendor, with plates. Returns its path. */
function writeFile(directory: string): string {
  const file = path.join(directory, 'bench-payments.csv')
  const pad = (number: number): string => String(number).padStart(2, '0')
  const lines = [
    'TransactionId,MeterCode,TransactionDateTime,EndTime,Duration (min),Amount,PaymentMean,Plate',
  ]
  for (let row = 0; row < fileRows; row++) {
    const minute = 8 * 60 + ((row * 7) % 600)
    const day = `${pad(1 + (Math.floor(row / 17_000) % 28))}`
    const length = 15 + (row % 8) * 15
    const time = (minuteOfDay: number): string =>
      `06/${day}/2025 ${pad(Math.floor(minuteOfDay / 60))}:${pad(minuteOfDay % 60)}:${pad(row % 60)}`
    lines.push(
      `${row},M${row % locations},${time(minute)},${time(minute + length)},${length},${(length / 20).toFixed(2)},${row % 3 ? 'Card' : 'Coin'},P${row % 60_000}`,
    )
  }
  fs.writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

/** Inserts payments of five years. */
async function addPayments({ app, scope, regionId }: Bench, from: number, count: number): Promise<void> {
  await app.facts.add(scope, 'curb_payments', {
    columns: paymentTableColumns,
    rows: sql`
    select ${bind('String', regionId)}, day, hour, paid, concat('bench:', toString(n)), if(n % 4 = 0, 'Phones', 'Meters'), 'file', if(n % 97 = 0, 'refund', 'counted'),
      concat('meter:', toString(n % ${bind('UInt32', locations)})), concat('zone-', toString(n % 300)), if(n % 97 = 0, -100, toInt64(50 + n % 400)), if(n % 3 = 0, 'Coin', 'Card'),
      paid, paid + 1800, day, hour, 1800, null, concat('bench:', toString(n)), toUInt8(n % 97 != 0), toUUID('00000000-0000-4000-8000-00000000000b'), toUInt8(0), toUInt64(1)
    from (
      select number as n, toDate(${bind('String', firstDay)}) + cityHash64(number) % ${bind('UInt32', days)} as day, toUInt8(8 + cityHash64(number, 1) % 12) as hour,
        toDateTime(day, 'UTC') + hour * 3600 + cityHash64(number, 2) % 3600 as paid
      from numbers(${bind('UInt64', from)}, ${bind('UInt64', count)})
    )`,
    limits: { seconds: 600, memory: 6 * 2 ** 30 },
    areDistinct: true,
  })
}

/** Measures the import of a payment file, and the calls of the pages at growing numbers of payments. */
export async function benchCurbPayments(
  bench: Bench,
  millions: readonly number[],
  report: Report,
): Promise<void> {
  const { app, scope, organizationId, regionId, directory } = bench
  const viewer: Viewer = {
    userId: 'bench',
    email: 'bench',
    organizationId,
    permissions: ['is_admin', 'edit_curb_regulations'],
    scope,
    mfaEnrollmentRequired: false,
    allRegions: true,
    admin: null,
    sessionId: 'bench',
  }
  const imports = { state: app.state, facts: app.facts, jobs: app.jobs, blobs: app.blobs, dataDir: directory }
  const waitForStatus = async (importId: string, status: string): Promise<void> => {
    for (;;) {
      const row = await readPaymentImport(app.state.as(scope), regionId, importId)
      if (row.status === status) return
      if (row.status === 'failed') throw new Error(row.problem ?? 'The import failed')
      await wait(50)
    }
  }
  report.log('curb payments: writing a file')
  const file = writeFile(directory)
  const { import_id: importId } = await receivePaymentFile(imports, {
    viewer,
    params: { region_id: regionId },
    query: { vendor: 'Bench', file_name: 'bench.csv' },
    body: fs.createReadStream(file),
    at: new Date(),
  })
  const call = { viewer, params: { region_id: regionId, import_id: importId } }
  const staged = await measureMs(async () => {
    await startPayments(imports, { ...call, body: {}, at: new Date() })
    await waitForStatus(importId, 'staged')
  })
  const published = await measureMs(async () => {
    await queueStep(imports, call, 'publishing')
    await waitForStatus(importId, 'published')
  })
  const rows = fileRows.toLocaleString('en-US')
  report.add(`payment file of ${rows} rows: read and checked`, 'rows/s', [(1000 * fileRows) / staged])
  report.add(`payment file of ${rows} rows: read, checked and published`, 'rows/s', [
    (1000 * fileRows) / (staged + published),
  ])
  const stitched = await measureMs(() => app.derivation.idle())
  report.add(`${rows} payments: sessions and sums`, 's', [stitched / 1000])
  await queueStep(imports, call, 'undoing')
  await waitForStatus(importId, 'undone')
  await app.derivation.idle()
  await deletePayments(imports, call)

  const sources = { state: app.state, facts: app.facts }
  const context = { scope, regionId, timezone: bench.city.timezone, signal: new AbortController().signal }
  const filter: TransactionFilter = {
    start_date: firstDay,
    end_date: lastDay,
    start_time_hour: 0,
    end_time_hour: 23,
    days: [],
    kinds: [],
    payment_types: [],
    vendors: [],
    zones: [],
    locations: [],
  }
  const makeQuestion = (dimensions: PaymentQuestion['dimensions'], measures: PaymentQuestion['measures']) =>
    PaymentQuestion.parse({ start_date: firstDay, end_date: lastDay, dimensions, measures })
  let stored = 0
  for (const size of millions) {
    const targetCount = size * 1_000_000
    report.log(`curb payments: adding ${(targetCount - stored).toLocaleString('en-US')} rows`)
    for (; stored < targetCount; stored += Math.min(2_000_000, targetCount - stored))
      await addPayments(bench, stored, Math.min(2_000_000, targetCount - stored))
    const localDays = Array.from({ length: days }, (_, index) => addDays(firstDay, index))
    const derived = await measureMs(async () => {
      await markDirty(
        app.state,
        scope,
        { product: paymentSums, regionId },
        { spans: localDays, time: new Date() },
      )
      await app.derivation.idle()
    })
    report.add(`${size} M payments: sums of five years`, 's', [derived / 1000])
    // The server does the same to months without new payments for two hours.
    for (const month of new Set(localDays.map((day) => day.slice(0, 7).replace('-', ''))))
      await app.facts.define(`optimize table curb_payments partition ${month} final`)
    const listPage = (changes: object) =>
      listTransactions(sources, context, { ...filter, page: 1, size: 50, order_by: '-paid_time', ...changes })
    const index = await new CurbIndexes(app.state).get(scope, regionId)
    const indexContext = { ...context, index, at: new Date() }
    const pages: [string, () => Promise<unknown>][] = [
      ['Transactions, first page', () => listPage({})],
      ['Transactions, page 5,000', () => listPage({ page: 5000 })],
      ['Transactions of one zone', () => listPage({ zones: ['zone-7'] })],
      [
        'Transactions by amount, one month',
        () => listPage({ order_by: '-amount', start_date: addDays(lastDay, -30) }),
      ],
      ['Transactions by amount, all', () => listPage({ order_by: '-amount' })],
      ['Transactions over an amount, all', () => listPage({ min_amount: 400 })],
      ['totals of the selection', () => readTransactionStatistics(sources, context, filter)],
      ['map of locations', () => listTransactionLocations(sources, context, filter)],
      [
        'revenue by day',
        () =>
          aggregatePayments(
            sources,
            indexContext,
            makeQuestion(['day'], ['revenue', 'payments', 'sessions']),
          ),
      ],
      [
        'revenue by zone',
        () => aggregatePayments(sources, indexContext, makeQuestion(['zone'], ['revenue', 'sessions'])),
      ],
      [
        'revenue by hour and weekday',
        () =>
          aggregatePayments(sources, indexContext, makeQuestion(['day_of_week', 'hour_of_day'], ['revenue'])),
      ],
    ]
    const revenue = { ...sources, indexes: new CurbIndexes(app.state), sessionFees: new SessionFeeCache() }
    const unfiltered = { kinds: [], curb_zone_ids: [], policy_ids: [], payers: [] }
    pages.push([
      'Fees and Revenue',
      () =>
        computeRevenueTotals(revenue, {
          viewer: { scope },
          params: { region_id: regionId },
          query: { ...unfiltered, start_date: firstDay, end_date: lastDay },
          at: new Date(),
        }),
    ])
    for (const [name, query] of pages) {
      await query()
      report.add(`${size} M payments, five years: ${name}`, 'ms', await measureRuns(5, query))
    }
  }
}
