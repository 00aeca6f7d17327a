import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { CurbMetricsQuestion } from '#contract/curb-sessions.ts'
import { dayMs } from '#contract/period.ts'
import { markDirty } from '#server/derived/dirty-spans.ts'
import { createStageImportsJob } from '#server/curb/imports/stage-import.ts'
import { listCurbHere } from '#server/curb/map/curb-here.ts'
import { describeCurbWeek, readUser } from '#server/curb/map/curb-week.ts'
import { curbHours } from '#server/curb/product-names.ts'
import { queryCurbMetrics } from '#server/curb/sessions/query-curb-metrics.ts'
import { CurbIndexes } from '#server/curb/store/curb-index.ts'
import { computeRevenueTotals } from '#server/billing/curb/revenue.ts'
import { SessionFeeCache } from '#server/curb/revenue/session-fee-cache.ts'
import { storeCurbFile } from '#server/curb/imports/curb-files.ts'
import { publishImport } from '#server/curb/store/publish-import.ts'
import { systemScope } from '#server/identity/scope.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { bind, sql } from '#server/stores/sql.ts'
import type { Bench } from './open-bench.ts'
import { type Report, measureMs, measureRuns } from './table.ts'

// The sizes of the requirement. Environment variables set smaller ones for a trial.
const segments = Number(process.env['BENCH_CURB_SEGMENTS'] ?? 100_000)
const rulesPerSegment = Number(process.env['BENCH_CURB_RULES'] ?? 4)
const sessions = Number(process.env['BENCH_CURB_SESSIONS'] ?? 10_000_000)

/** Makes a policy. Policies differ in hours, weekdays, price and maximum stay. */
const makePolicy = (n: number) => ({
  curb_policy_id: `policy-${n}`,
  published_date: 1_700_000_000_000,
  name: `Rule ${n}`,
  priority: (n * 7) % 100,
  rules: [
    n % 3 === 0
      ? { activity: 'no stopping' }
      : {
          activity: 'parking',
          max_stay: 30 + (n % 8) * 15,
          rate: [{ rate: (n % 5) * 50, rate_unit: 'hour' }],
        },
  ],
  time_spans: [
    {
      days_of_week: [
        ['mon', 'tue', 'wed'],
        ['thu', 'fri'],
        ['sat', 'sun'],
      ][n % 3],
      time_of_day_start: `${String(6 + (n % 6)).padStart(2, '0')}:00`,
      time_of_day_end: `${String(14 + (n % 8)).padStart(2, '0')}:00`,
    },
  ],
})
const policyCount = 2000

interface Grid {
  segments: number
  /** Half the side of the grid, degrees. */
  halfSide: number
}

/** Writes a CDS file of curb zones along a grid of streets. */
function writeFile(
  file: string,
  { lon, lat }: { lon: number; lat: number },
  { segments, halfSide }: Grid,
): void {
  const out = fs.openSync(file, 'w')
  fs.writeSync(out, '{"version":"1.1","currency":"USD","data":{"policies":[')
  for (let n = 0; n < policyCount; n++) fs.writeSync(out, `${n ? ',' : ''}${JSON.stringify(makePolicy(n))}`)
  fs.writeSync(out, '],"zones":[')
  const across = Math.ceil(Math.sqrt(segments))
  for (let n = 0; n < segments; n++) {
    const [x, y] = [n % across, Math.floor(n / across)]
    const west = lon - halfSide + (x * 2 * halfSide) / across
    const north = lat - halfSide + (y * 2 * halfSide) / across
    const zone = {
      curb_zone_id: `zone-${n}`,
      geometry: {
        type: 'LineString',
        coordinates: [
          [west, north],
          [west + (1.5 * halfSide) / across, north],
        ],
      },
      curb_policy_ids: Array.from(
        { length: rulesPerSegment },
        (_, rule) => `policy-${(n * 13 + rule * 491) % policyCount}`,
      ),
      published_date: 1_700_000_000_000,
      last_updated_date: 1_700_000_000_000,
      start_date: 1_700_000_000_000,
      street_name: `Street ${y}`,
      street_side: n % 2 ? 'N' : 'S',
    }
    fs.writeSync(out, `${n ? ',' : ''}${JSON.stringify(zone)}`)
  }
  fs.writeSync(out, ']}}')
  fs.closeSync(out)
}

/** Stages and publishes a file of curb zones. Returns the time of each step, ms. */
export async function publishSegments(
  { app, scope, regionId, city, directory }: Bench,
  grid: Grid,
): Promise<{ staging: number; publication: number }> {
  const file = path.join(directory, 'curb-zones.json')
  writeFile(file, city, grid)
  const { path: stored } = await storeCurbFile(
    { blobs: app.blobs, dataDir: directory },
    fs.createReadStream(file),
    'curb-zones.json',
  )
  const [inventoryId, importId] = [randomUUID(), randomUUID()]
  const store = app.state.as(systemScope)
  const createdTime = new Date()
  await store
    .insertInto('curb_inventory')
    .values({
      inventory_id: inventoryId,
      region_id: regionId,
      name: 'Bench',
      kind: 'cds',
      created_time: createdTime,
    })
    .execute()
  await store
    .insertInto('curb_import')
    .values({
      import_id: importId,
      region_id: regionId,
      inventory_id: inventoryId,
      file_name: 'curb-zones.json',
      file_hash: importId,
      status: 'staging',
      created_by: 'bench@example.com',
      created_time: createdTime,
      files: JSON.stringify([{ path: stored, name: 'curb-zones.json' }]),
    })
    .execute()
  const job = createStageImportsJob({
    state: app.state,
    blobs: app.blobs,
    log: () => undefined,
    now: () => new Date(),
    onStaged: async () => undefined,
  })
  const staging = await measureMs(() => Promise.resolve(job.run(new AbortController().signal, {})))
  const publication = await measureMs(() =>
    publishImport(
      app.state,
      { scope, email: 'bench@example.com' },
      { regionId, importId, effective: new Date(Date.UTC(2025, 0, 1)), at: new Date() },
    ),
  )
  return { staging, publication }
}

/** Measures import, map and point queries of regulations. */
async function benchRegulations(bench: Bench, report: Report): Promise<void> {
  const { app, scope, regionId, city } = bench
  const { staging, publication } = await publishSegments(bench, { segments, halfSide: 0.1 })
  report.add(`curb: stage ${segments} segments`, 'rows/s', [(segments * 1000) / staging])
  report.add(`curb: publish ${segments} segments with ${segments * rulesPerSegment} rules`, 's', [
    publication / 1000,
  ])
  const indexes = new CurbIndexes(app.state)
  const user = readUser({ user_classes: 'car', purposes: '' })
  const now = Date.now()
  report.add(
    'curb: first view of the map, index and week',
    'ms',
    await measureRuns(1, async () =>
      describeCurbWeek({ index: await indexes.get(scope, regionId), at: now, user }),
    ),
  )
  const index = await indexes.get(scope, regionId)
  report.add(
    'curb: another vehicle or week',
    'ms',
    await measureRuns(5, async (run) => describeCurbWeek({ index, at: now + run * 604_800_000, user })),
  )
  const places = Array.from({ length: 1000 }, (_, n) => ({
    lon: city.lon - 0.1 + ((n * 37) % 1000) / 5000,
    lat: city.lat - 0.1 + ((n * 91) % 1000) / 5000,
  }))
  const view = { index, at: now, user }
  listCurbHere(view, { ...places[0]!, radius: 50 })
  report.add(
    'curb: what applies here',
    'ms',
    await measureRuns(places.length, async (run) => listCurbHere(view, { ...places[run]!, radius: 50 })),
  )
}

/** Measures sessions of 500 zones over a year: storing them, deriving sums and reading the dashboard. */
async function benchSessions({ app, scope, regionId }: Bench, report: Report): Promise<void> {
  const [zones, days] = [500, 365]
  const firstMs = Date.UTC(2025, 0, 1)
  const columns = [
    ...(['region_id', 'lane', 'from_time', 'session_id', 'type', 'start_time', 'end_time'] as const),
    ...(['zone_id', 'source_kind', 'vehicle', 'vehicle_type', 'version'] as const),
  ]
  const storedMs = await measureMs(() =>
    app.facts.add(scope, 'curb_sessions', {
      columns,
      rows: sql`
      select ${bind('String', regionId)}, concat('zone ', toString(number % ${bind('UInt64', zones)})),
        fromUnixTimestamp64Milli(toInt64(${bind('Int64', firstMs)} + intDiv(number * ${bind('UInt64', days * dayMs)}, ${bind('UInt64', sessions)}))) as start,
        toString(number), 'parking', start, start + toIntervalSecond(300 + cityHash64(number) % 5400),
        concat('zone-', toString(number % ${bind('UInt64', zones)})), 'sensor',
        if(number % 50 = 0, concat('vehicle ', toString(intDiv(number, 50) % 500)), ''), ['car', 'van', 'truck'][number % 3 + 1], toUInt64(1)
      from numbers(${bind('UInt64', sessions)})`,
    }),
  )
  report.add(`curb: store ${sessions} sessions`, 's', [storedMs / 1000])
  const region = await findRegion(app.state, scope, regionId)
  const localDays = Array.from({ length: days }, (_, day) =>
    new Date(firstMs + day * dayMs).toISOString().slice(0, 10),
  )
  await markDirty(app.state, scope, { product: curbHours, regionId }, { spans: localDays, time: new Date(0) })
  report.add('curb: derive a year of sums', 's', [(await measureMs(() => app.derivation.idle())) / 1000])
  const makeQuestion = (dimensions: string[]): CurbMetricsQuestion =>
    CurbMetricsQuestion.parse({
      measures: ['sessions', 'turnover', 'dwell_median', 'dwell_p90', 'occupancy'],
      dimensions,
      start_date: localDays[0],
      end_date: localDays.at(-1),
    })
  const { signal } = new AbortController()
  for (const dimensions of [['day'], ['day_of_week', 'hour_of_day'], ['zone']])
    report.add(
      `curb: dashboard of a year by ${dimensions.join(' and ')}`,
      'ms',
      await measureRuns(5, () =>
        queryCurbMetrics(
          { state: app.state, facts: app.facts },
          { scope, region, at: new Date(), signal },
          makeQuestion(dimensions),
        ),
      ),
    )
}

/** Measures Fees and Revenue of the same year: 10 fleets pay for one in 50 sessions. */
async function benchRevenue({ app, scope, regionId }: Bench, report: Report): Promise<void> {
  const fleets = Array.from({ length: 10 }, (_, fleet) => ({
    region_id: regionId,
    account_id: `fleet-${fleet}`,
    name: `Fleet ${fleet}`,
    kind: 'fleet',
    operator_names: JSON.stringify([]),
    vehicles: JSON.stringify(Array.from({ length: 50 }, (__, number) => `vehicle ${fleet * 50 + number}`)),
    created_time: new Date(),
  }))
  await app.state.as(scope).insertInto('curb_account').values(fleets).execute()
  const sources = {
    state: app.state,
    facts: app.facts,
    indexes: new CurbIndexes(app.state),
    sessionFees: new SessionFeeCache(),
  }
  await sources.indexes.get(scope, regionId)
  const filter = { kinds: [], curb_zone_ids: [], policy_ids: [], payers: [] }
  for (const [name, days] of [
    ['a month', { start_date: '2025-11-01', end_date: '2025-11-30' }],
    ['a year', { start_date: '2025-01-01', end_date: '2025-12-31' }],
  ] as const) {
    const read = () =>
      computeRevenueTotals(sources, {
        viewer: { scope },
        params: { region_id: regionId },
        query: { ...filter, ...days },
        at: new Date(),
      })
    report.add(`curb: fees and revenue of ${name}, first time`, 'ms', [await measureMs(read)])
    report.add(`curb: fees and revenue of ${name}, again`, 'ms', await measureRuns(5, read))
  }
}

/** Measures the Curb Manager at the sizes that its requirement names. */
export async function benchCurb(bench: Bench, report: Report): Promise<void> {
  await benchRegulations(bench, report)
  await benchSessions(bench, report)
  await benchRevenue(bench, report)
}
