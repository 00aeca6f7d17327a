import { importedTripColumns } from '#server/fleet/trip-columns.ts'
import fs from 'node:fs'
import path from 'node:path'
import type { ExportTableName } from '#contract/export-tables.ts'
import { exportFormats, ExportQuestion } from '#contract/exports.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { toSelection } from '#server/reporting/exports/check-question.ts'
import { computeChecksum } from '#server/reporting/exports/export-files.ts'
import { writeTable } from '#server/reporting/exports/write-table.ts'
import { createLightWork, runInWorkload } from '#server/stores/workloads.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { Bench } from './open-bench.ts'
import { type Report, measureMs } from './table.ts'

const exportedTrips = 1_000_000
const periodDays = 90
const runsPerCase = 3
/** Interval at which memory and the time of a light query are measured while a file is written. */
const sampleMs = 100

/** Trips are inserted in parts, to bound the memory of a statement. */
const rowsPerInsert = 5_000_000

/** Stores trips of the region over `dayCount` days from 2026-01-01, with the columns of imported trips. */
export async function storeTrips(
  { app: { facts }, scope, regionId, city }: Bench,
  tripCount: number,
  dayCount: number,
): Promise<void> {
  const start = sql`toDateTime64('2026-01-01 12:00:00', 3, 'UTC') + toIntervalSecond(cityHash64(number) % ${bind('UInt32', dayCount * 86_400)})`
  for (let from = 0; from < tripCount; from += rowsPerInsert)
    await facts.add(scope, 'trips', {
      columns: importedTripColumns,
      rows: sql`
    select ${bind('String', regionId)}, generateUUIDv4(number), concat('operator-', toString(number % 3)), 'scooter_standing', concat('vehicle-', toString(number % 2000)),
      ${start} as begin, begin + toIntervalSecond(300 + number % 1200), toDate(begin), toHour(begin),
      ${bind('Float64', city.lon)} + (cityHash64(number, 1) % 100000) / 1e6, ${bind('Float64', city.lat)} + (cityHash64(number, 2) % 100000) / 1e6,
      ${bind('Float64', city.lon)} + (cityHash64(number, 3) % 100000) / 1e6, ${bind('Float64', city.lat)} + (cityHash64(number, 4) % 100000) / 1e6,
      500 + number % 5000, 300 + number % 1200, 0, toUUID('00000000-0000-4000-8000-000000000001'), 0, number
    from numbers(${bind('UInt64', from)}, ${bind('UInt64', Math.min(rowsPerInsert, tripCount - from))})`,
      limits: { seconds: 600, memory: 6e9 },
    })
}

/** Measures exports of a million rows: time by format, memory, and the latency of other queries meanwhile. */
export async function benchExports(bench: Bench, report: Report): Promise<void> {
  const { app, scope, regionId, organizationId, directory } = bench
  await storeTrips(bench, exportedTrips, periodDays)
  const region = await findRegion(app.state, scope, regionId)
  const selection = toSelection(
    region,
    ExportQuestion.parse({ start_date: '2025-12-01', end_date: '2026-12-31' }),
  )
  const context = {
    state: app.state,
    facts: app.facts,
    membership: app.membership,
    health: null as never,
    scope,
    organizationId,
    exportId: '00000000-0000-4000-8000-000000000001',
    at: new Date(),
  }
  const file = path.join(directory, 'bench-export')
  const lightQuery = () =>
    runInWorkload(createLightWork(), () =>
      app.facts.rows(scope, sql`select count() as n from ${latest('trips')} where local_date = '2026-02-01'`),
    )
  const cases: [ExportTableName, (typeof exportFormats)[number], boolean][] = [
    ...exportFormats.map((format): [ExportTableName, typeof format, boolean] => ['trips', format, true]),
    ['trips', 'csv', false],
  ]
  for (const [table, format, isExact] of cases) {
    const lightQueryMs: number[] = []
    const bytesBefore = process.memoryUsage.rss()
    let peakBytes = bytesBefore
    const exportSeconds: number[] = []
    let writtenRows = 0
    for (let run = 0; run < runsPerCase; run++) {
      const timer = setInterval(() => {
        peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
        void measureMs(lightQuery).then((ms) => lightQueryMs.push(ms))
      }, sampleMs)
      exportSeconds.push(
        (await measureMs(async () => {
          const [count = 0] = await writeTable(context, [
            { table, format, columns: [], isExact, selection, path: file },
          ])
          writtenRows = count
          await computeChecksum(file)
        })) / 1000,
      )
      clearInterval(timer)
    }
    const name = `export of ${writtenRows.toLocaleString('en-US')} ${table} as ${format}${isExact ? '' : ', rounded'}`
    report.add(name, 's', exportSeconds)
    report.add(`${name}: size`, 'MB', [fs.statSync(file).size / 1e6])
    report.add(`${name}: additional memory`, 'MB', [(peakBytes - bytesBefore) / 1e6])
    report.add(`${name}: a light query meanwhile`, 'ms', lightQueryMs)
  }
}
