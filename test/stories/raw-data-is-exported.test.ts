import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { getExportColumns, exportTableNames, type ExportTableName } from '#contract/export-tables.ts'
import {
  buildMonthlyZip,
  cancelExport,
  countRawData,
  getExport,
  getRawData,
  listExports,
  listMonthlyZips,
  startExport,
} from '#contract/exports.ts'
import { changeRegion } from '#contract/regions.ts'
import { queryMetrics } from '#contract/metrics.ts'
import { listAudit } from '#contract/users.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { queueDueZips } from '#server/reporting/exports/queue-monthly-zips.ts'
import { bind, latest, type ScopedTable, sql } from '#server/stores/sql.ts'
import { call, openTestApp, request, send, type SignedIn, type TestApp } from '../app.ts'
import { regions } from '../city.ts'
import { fleetPeriod } from '../city/fleet.ts'
import {
  type ExportRequest,
  downloadBytes,
  waitForExport,
  runExport,
  parseCsv,
  startTestExport,
} from '../exports.ts'
import { addSecondOperator, makeTown, setTownClock, type Town } from '../operators/two-operators.ts'

let app: TestApp
let town: Town
const region_id = 'alder'
const inAlder = { params: { region_id } }
const period = { start_date: '2026-02-20', end_date: '2026-03-31' }

beforeAll(async () => {
  setTownClock()
  app = await openTestApp()
  town = await makeTown(app)
  await addSecondOperator(app, town)
}, 600_000)
afterAll(async () => {
  await app.close()
  vi.useRealTimers()
})

const getExportsFolder = (): string => path.join(app.dataDir, 'exports')
const hashSha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const listExportFiles = (): string[] =>
  fs.existsSync(getExportsFolder()) ? fs.readdirSync(getExportsFolder()) : []

/** Counts rows of the fact store in local days. */
async function countFacts(
  table: ScopedTable,
  column: string,
  days: { start_date: string; end_date: string },
  operator?: string,
) {
  const at = { strings: [column], values: [] }
  const [row] = await app.facts.rows<{ n: string }>(
    regionScope(town.organizations.alder, region_id),
    sql`select count() as n from ${latest(table)} where toDate(${at}, ${bind('String', regions.alder.timezone)}) between ${bind('Date', days.start_date)} and ${bind('Date', days.end_date)} and ${operator ? sql`operator = ${bind('String', operator)}` : sql`1`}`,
  )
  return Number(row?.n)
}

const factTables: [ExportTableName, ScopedTable, string][] = [
  ['trips', 'trips', 'start_time'],
  ['vehicle_states', 'vehicle_intervals', 'from_time'],
  ['events', 'vehicle_events', 'event_time'],
  ['parking_events', 'parking_events', 'from_time'],
]

describe('an export', () => {
  it.each(factTables)('%s', async (table, facts, time) => {
    for (const [as, operator] of [
      [town.admin, undefined],
      [town.lark, 'lark'],
    ] as const) {
      const { state, rows, bytes } = await runExport(app, as, table, period)
      const expected = await countFacts(facts, time, period, operator)
      expect(expected).toBeGreaterThan(50)
      expect([state.rows, state.total_rows, rows.length]).toEqual([expected, expected, expected])
      expect(Object.keys(rows[0] ?? {})).toEqual(getExportColumns(table, true))
      expect(new Set(rows.map((row) => row['operator']))).toEqual(
        new Set(operator ? ['lark'] : ['lark', 'heron']),
      )
      expect([state.bytes, state.sha256]).toEqual([bytes.length, hashSha256(bytes)])
      const counted = await call(app, as, countRawData, { params: { region_id, table }, query: period })
      expect(counted.rows).toBe(expected)
    }
  })

  it('has every trip with its values, as many as reports count', async () => {
    const { rows } = await runExport(app, town.admin, 'trips', {
      ...period,
      operators: ['heron'],
      vehicle_types: ['scooter_standing', 'scooter'],
    })
    const stored = await app.facts.rows<Record<string, string>>(
      regionScope(town.organizations.alder, region_id),
      sql`select toString(trip_id) as trip_id, toUnixTimestamp64Milli(start_time) as start, start_lon, distance_m from ${latest('trips')} where operator = 'heron' and local_date between ${bind('Date', period.start_date)} and ${bind('Date', period.end_date)}`,
    )
    const plain = (row: Record<string, unknown>) =>
      [row['trip_id'], row['start'], row['start_lon'], row['distance_m']]
        .map((value) => value ?? '')
        .join(' ')
    const read = rows.map((row) => plain({ ...row, start: Date.parse(row['start_time'] ?? '') }))
    expect(read.toSorted()).toEqual(stored.map(plain).toSorted())
    expect(rows.map((row) => row['start_time'])).toEqual(rows.map((row) => row['start_time']).toSorted())
    const days = { start_date: '2026-03-10', end_date: '2026-03-13' }
    const { period: counted } = await call(app, town.admin, queryMetrics, {
      ...inAlder,
      body: { ...days, measures: ['trips'] },
    })
    expect((await runExport(app, town.admin, 'trips', days)).rows).toHaveLength(counted.totals[0] ?? -1)
  })

  it('never has rows of another region', async () => {
    const started = await startTestExport(app, town.admin, 'trips', period, 'birch')
    const none = await waitForExport(app, town.admin, started, 'birch')
    expect([none.status, none.rows]).toEqual(['ready', 0])
    expect(parseCsv(gunzipSync(await downloadBytes(app, none.url)).toString())).toEqual([])
    const foreign = await send(app, town.stranger, startExport, {
      params: { region_id, table: 'trips' },
      body: period,
    })
    expect(foreign.statusCode).toBe(404)
  })
})

describe('an export of the state store', () => {
  it('has shapes of one layer, as CSV and GeoJSON', async () => {
    const shape_layer_uuid = town.layer.shape_layer_uuid
    const { rows } = await runExport(app, town.admin, 'shapes', { shape_layer_uuid })
    expect(rows).toHaveLength(town.layer.shape_count)
    expect(rows[0]?.['wkt']).toMatch(/^(MULTI)?POLYGON/)
    const { bytes } = await runExport(app, town.admin, 'shapes', { shape_layer_uuid, format: 'geojson' })
    const { features } = JSON.parse(bytes.toString())
    expect(features).toHaveLength(town.layer.shape_count)
    expect(features[0].geometry.type).toMatch(/Polygon/)
    expect(Object.keys(features[0].properties)).toEqual(getExportColumns('shapes', true))
  })

  it('has policies, and drafts for the city only', async () => {
    const listNames = async (as: SignedIn) =>
      (await runExport(app, as, 'policies', {})).rows.map((row) => row['policy_name'])
    expect((await listNames(town.admin)).toSorted()).toEqual(['Against Heron', 'Keep clear', 'Trips'])
    expect((await listNames(town.lark)).toSorted()).toEqual(['Keep clear', 'Trips'])
  })

  it('has days of compliance as on the page', async () => {
    const days = { start_date: '2026-03-04', end_date: '2026-03-09' }
    const { rows } = await runExport(app, town.admin, 'compliance_days', days)
    expect(new Set(rows.map((row) => row['operator']))).toEqual(new Set(['lark', 'heron']))
    expect(new Set(rows.map((row) => row['date'])).size).toBe(6)
    expect(new Set(rows.map((row) => row['policy_name']))).toEqual(new Set(['Keep clear']))
    const own = await runExport(app, town.lark, 'compliance_days', days)
    expect(new Set(own.rows.map((row) => row['operator']))).toEqual(new Set(['lark']))
  })

  it('has issues, with texts that no spreadsheet evaluates', async () => {
    const at = new Date('2026-03-08T06:59:00Z')
    await app.state
      .as(systemScope)
      .insertInto('issue')
      .values(
        [at, new Date('2026-03-08T05:00:00Z'), new Date('2026-03-08T04:59:59Z')].map((requested_time, n) => ({
          region_id,
          source: 'city',
          issue_id: String(n),
          service_code: 'bike',
          service_name: '=cmd()|"x"',
          description: `a\tb\n\\N ${n}`,
          status: 'open',
          source_status: '-5',
          requested_time,
          lat: 41.4912345,
          lon: -72.5,
          first_seen: at,
          version_time: at,
          observed_time: at,
          content_hash: 'x',
        })) as never,
      )
      .execute()
    const { rows } = await runExport(app, town.viewer, 'issues', {
      start_date: '2026-03-08',
      end_date: '2026-03-08',
    })
    expect(rows.map((row) => row['id'])).toEqual(['1', '0'])
    expect(
      await call(app, town.viewer, countRawData, {
        params: { region_id, table: 'issues' },
        query: { start_date: '2026-03-07', end_date: '2026-03-08' },
      }),
    ).toEqual({ rows: 3, days: 2, first_day: '2026-03-07', last_day: '2026-03-08' })
    expect(rows[0]).toMatchObject({
      service_name: `'=cmd()|"x"`,
      source_status: '-5',
      description: 'a\tb\n\\N 1',
      closed_time: '',
      lat: '41.4912345',
      requested_time: '2026-03-08T05:00:00.000Z',
    })
    await app.state.as(systemScope).deleteFrom('issue').execute()
  })
})

test('users who may not see single trips get rounded rows without IDs', async () => {
  const exact = await runExport(app, town.admin, 'trips', period)
  const { state, rows } = await runExport(app, town.viewer, 'trips', period)
  expect([exact.state.is_exact, state.is_exact]).toEqual([true, false])
  expect(Object.keys(rows[0] ?? {})).toEqual(getExportColumns('trips', false))
  expect(Object.keys(rows[0] ?? {})).not.toContain('trip_id')
  expect(rows).toHaveLength(exact.rows.length)
  expect(exact.rows.some((row) => !/:00:00.000Z$/.test(row['start_time'] ?? ''))).toBe(true)
  for (const row of rows) {
    expect(row['start_time']).toMatch(/:00:00\.000Z$/)
    for (const name of ['start_lon', 'start_lat', 'end_lon', 'end_lat'])
      expect(row[name]).toMatch(/^(|-?\d+(\.\d{1,3})?)$/)
  }
  const { tables, is_exact } = await call(app, town.viewer, getRawData, inAlder)
  expect(is_exact).toBe(false)
  expect(tables.map(({ table }) => table)).toEqual(exportTableNames)
  expect(tables[0]?.columns.map(({ name }) => name)).toEqual(getExportColumns('trips', false))
})

test('export metadata lists the days with rows', async () => {
  const { tables } = await call(app, town.lark, getRawData, inAlder)
  const { rows } = await runExport(app, town.lark, 'trips', { ...period, end_date: '2029-12-31' })
  const days = [...new Set(rows.map((row) => row['local_date']))].toSorted()
  expect(tables[0]).toMatchObject({
    days: days.length,
    first_day: days[0],
    last_day: days.at(-1),
    formats: ['csv', 'parquet', 'geojson'],
  })
})

test('a Parquet export has typed columns, and a GeoJSON export a feature per row', async () => {
  const columns = ['trip_id', 'start_time', 'distance_m', 'operator']
  const { state, bytes } = await runExport(app, town.admin, 'trips', {
    ...period,
    columns,
    format: 'parquet',
  })
  const file = path.join(app.dataDir, 'read.parquet')
  fs.writeFileSync(file, bytes)
  const fileName = bind('String', file)
  const described = await app.facts.rows<{ name: string; type: string }>(
    systemScope,
    sql`describe file(${fileName})`,
  )
  expect(described.map(({ name }) => name)).toEqual(columns)
  expect(described.map(({ type }) => type.replaceAll(/Nullable\((.*)\)/g, '$1'))).toEqual([
    'String',
    "DateTime64(3, 'UTC')",
    'Float64',
    'String',
  ])
  const [{ n } = { n: '' }] = await app.facts.rows<{ n: string }>(
    systemScope,
    sql`select count() as n from file(${fileName})`,
  )
  expect(Number(n)).toBe(state.rows)
  const geo = await runExport(app, town.admin, 'parking_events', { ...fleetPeriod, format: 'geojson' })
  const { features } = JSON.parse(geo.bytes.toString())
  expect(features).toHaveLength(geo.state.rows)
  for (const { geometry, properties } of features)
    expect(geometry).toEqual(
      properties.lon === null ? null : { type: 'Point', coordinates: [properties.lon, properties.lat] },
    )
})

test('the requester gets an email, the audit log an entry, and nobody else sees the export', async () => {
  const before = app.mails.length
  const { state } = await runExport(app, town.planner, 'trips', { ...period, operators: ['lark'] })
  await app.notifications.deliver()
  const mail = app.mails
    .slice(before)
    .find(({ to, text }) => to === 'planner@alder.example' && text.includes(state.export_id))
  expect(mail?.subject).toBe('Export ready: trips_alder_2026-02-20_2026-03-31.csv.gz')
  expect(mail?.text).toContain(`Rows: ${state.rows.toLocaleString('en-US')}\nDownload: http`)
  const { items } = await call(app, town.admin, listAudit, { query: { size: 50 } })
  const entry = items.find(
    ({ action, path: requestPath }) => action === 'exportRows' && requestPath.includes('operators=lark'),
  )
  expect(entry?.path).toBe(
    `/v2/regions/alder/reports/raw_data/trips?format=csv&rows=${state.rows}&start_date=2026-02-20&end_date=2026-03-31&operators=lark`,
  )
  const params = { region_id, export_id: state.export_id }
  const own = await call(app, town.planner, listExports, inAlder)
  expect(own.items.map(({ export_id }) => export_id)).toEqual([state.export_id])
  expect((await send(app, town.admin, getExport, { params })).statusCode).toBe(404)
  expect((await send(app, town.admin, cancelExport, { params })).statusCode).toBe(404)
  expect((await send(app, town.planner, cancelExport, { params })).statusCode).toBe(409)
})

test('an export link works without a sign-in until it expires; an altered one is rejected', async () => {
  const { state } = await runExport(app, town.admin, 'trips', { ...fleetPeriod, columns: ['operator'] })
  const url = state.url ?? ''
  const get = (link: string) => request(app, { method: 'GET', url: link })
  const found = await get(url)
  expect([found.statusCode, found.headers['content-disposition'], found.headers['content-type']]).toEqual([
    200,
    'attachment; filename="trips_alder_2026-03-04_2026-03-13.csv.gz"',
    'application/gzip',
  ])
  const other = await runExport(app, town.admin, 'trips', { ...fleetPeriod, columns: ['source'] })
  for (const altered of [
    url.replace(state.export_id, other.state.export_id),
    url.replace(/expires=\d/, 'expires=9'),
    url.slice(0, -1),
    url.replace(/&signature.*/, ''),
  ])
    expect((await get(altered)).statusCode).toBe(403)
  await app.state
    .as(systemScope)
    .updateTable('export')
    .set({ expires_time: new Date(Date.now() - 1000) })
    .where('export_id', '=', state.export_id)
    .execute()
  await app.jobs.runNow('remove-old-exports')
  await expect.poll(() => listExportFiles().includes(state.export_id), { timeout: 20_000 }).toBe(false)
  expect(listExportFiles()).toContain(other.state.export_id)
  expect((await get(url)).statusCode).toBe(410)
  const after = await call(app, town.admin, getExport, { params: { region_id, export_id: state.export_id } })
  expect([after.status, after.url]).toEqual(['expired', null])
})

describe('an export request is rejected for', () => {
  const cases: [string, ExportTableName | 'fees', ExportRequest, RegExp][] = [
    ['a reversed period', 'trips', { start_date: '2026-03-02', end_date: '2026-03-01' }, /before the first/],
    ['no period', 'trips', {}, /first day is missing/],
    ['half a period', 'trips', { start_date: '2026-03-02' }, /last day is missing/],
    ['a future period', 'trips', { start_date: '2999-01-01', end_date: '2999-01-02' }, /not begun/],
    ['more than five years', 'trips', { start_date: '2010-01-01', end_date: '2026-01-01' }, /five years/],
    ['an unknown table', 'fines' as never, period, /table/],
    ['an unknown column', 'trips', { ...period, columns: ['constructor'] }, /no column 'constructor'/],
    ['a column twice', 'trips', { ...period, columns: ['source', 'source'] }, /once/],
    ['an unknown operator', 'trips', { ...period, operators: ['nobody'] }, /no operator 'nobody'/],
    ['an unknown type', 'trips', { ...period, vehicle_types: ['boat' as never] }, /vehicle_types/],
    ['an unknown format', 'trips', { ...period, format: 'pdf' as never }, /format/],
    ['a table without geometry', 'policies', { format: 'geojson' }, /no geometry/],
    ['operators of shapes', 'shapes', { operators: ['lark'] }, /no operators/],
    [
      'a layer of trips',
      'trips',
      { ...period, shape_layer_uuid: '00000000-0000-4000-8000-000000000001' },
      /no layers/,
    ],
  ]
  it.each(cases)('%s', async (_, table, body, message) => {
    const response = await send(app, town.admin, startExport, {
      params: { region_id, table: table as never },
      body,
    })
    expect(response.statusCode).toBe(422)
    expect(JSON.stringify(response.json())).toMatch(message)
  })
  it('a layer of another region, ids without permission, and another operator', async () => {
    const expectRefused = async (
      as: SignedIn,
      table: ExportTableName,
      body: ExportRequest,
      region = region_id,
    ) => (await send(app, as, startExport, { params: { region_id: region, table }, body })).statusCode
    expect(
      await expectRefused(town.admin, 'shapes', { shape_layer_uuid: town.layer.shape_layer_uuid }, 'birch'),
    ).toBe(404)
    expect(await expectRefused(town.viewer, 'trips', { ...period, columns: ['trip_id'] })).toBe(403)
    expect(await expectRefused(town.lark, 'trips', { ...period, operators: ['heron'] })).toBe(422)
  })
})

describe('monthly zips', () => {
  const tryZip = async (as: SignedIn, month: string) =>
    (await send(app, as, buildMonthlyZip, { ...inAlder, body: { month } })).statusCode
  const readZip = async (month: string) => {
    const built = await call(app, town.admin, buildMonthlyZip, { ...inAlder, body: { month } })
    for (;;) {
      const { items } = await call(app, town.admin, listMonthlyZips, inAlder)
      const listed = items.find(({ export_id: id }) => id === built.export_id)
      if (listed && !['queued', 'running'].includes(listed.status)) return listed
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  it('contain every table as CSV and Parquet, a manifest and a dictionary; a month built again has a new version', async () => {
    expect(await tryZip(town.admin, '2026-03')).toBe(409)
    await call(app, town.admin, changeRegion, { ...inAlder, body: { hasMonthlyZip: true } })
    const first = await readZip('2026-03')
    expect([first.status, first.version, first.file_name]).toEqual(['ready', 1, 'alder_2026-03.zip'])
    const bytes = await downloadBytes(app, first.url)
    expect(hashSha256(bytes)).toBe(first.sha256)
    const files = unzipSync(bytes)
    expect(Object.keys(files).toSorted()).toEqual(
      [
        ...exportTableNames.flatMap((table) => [`${table}.csv`, `${table}.parquet`]),
        'manifest.json',
        'data-dictionary.csv',
      ].toSorted(),
    )
    const readText = (name: string): string => Buffer.from(files[name] ?? []).toString()
    const march = { start_date: '2026-03-01', end_date: '2026-03-31' }
    const manifest = JSON.parse(readText('manifest.json'))
    expect(manifest).toMatchObject({
      region_id,
      month: '2026-03',
      version: 1,
      ...march,
      time_zone: 'America/New_York',
      rows: first.rows,
    })
    for (const { files: tableFiles } of manifest.tables)
      for (const { name, rows, sha256, bytes: size } of tableFiles) {
        expect([name, hashSha256(files[name] ?? '')]).toEqual([name, sha256])
        expect(files[name]?.length).toBe(size)
        const found = name.endsWith('.csv') ? parseCsv(readText(name)).length : rows
        expect([name, found]).toEqual([name, rows])
      }
    const trips = await runExport(app, town.admin, 'trips', march)
    expect(parseCsv(readText('trips.csv'))).toEqual(trips.rows)
    const [first_day, last_day] = [march.start_date, march.end_date]
    expect(manifest.tables[0]).toMatchObject({ table: 'trips', days: 31, first_day, last_day })
    expect(parseCsv(readText('data-dictionary.csv'))).toHaveLength(
      exportTableNames.flatMap((table) => getExportColumns(table, true)).length,
    )

    const second = await readZip('2026-03')
    expect([second.version, second.file_name]).toEqual([2, 'alder_2026-03_v2.zip'])
    expect(await downloadBytes(app, first.url)).toEqual(bytes)
    expect(listExportFiles().filter((name) => name.startsWith('part-'))).toEqual([])
  })

  it('are for users who may see single trips of all operators, and only of past months', async () => {
    for (const as of [town.viewer, town.lark])
      expect((await call(app, as, listMonthlyZips, inAlder)).items).toEqual([])
    expect(await tryZip(town.admin, '2999-01')).toBe(422)
    expect(await tryZip(town.planner, '2026-03')).toBe(403)
  })

  it('are created automatically once on the third local day', async () => {
    await call(app, town.admin, changeRegion, {
      params: { region_id: 'birch' },
      body: { hasMonthlyZip: true },
    })
    const listMonths = async (at: string) => {
      await queueDueZips(app.state, { send: () => Promise.resolve() }, new Date(at))
      const rows = await app.state
        .as(systemScope)
        .selectFrom('export')
        .select('month')
        .where('region_id', '=', 'birch')
        .where('month', 'is not', null)
        .execute()
      return rows.map(({ month }) => month)
    }
    // Midnight in St. John's is at 02:30 UTC.
    expect(await listMonths('2026-04-03T02:29:00Z')).toEqual([])
    expect(await listMonths('2026-04-03T02:31:00Z')).toEqual(['2026-03'])
    expect(await listMonths('2026-04-20T12:00:00Z')).toEqual(['2026-03'])
  })
})

test('an export restarts after a kill, and no partial file is left', async () => {
  const { state } = await runExport(app, town.admin, 'trips', fleetPeriod)
  const store = app.state.as(systemScope)
  // A killed process leaves a running export with a lease, its files, and unrelated files.
  const lease = { lease_owner: 'gone', lease_until: new Date(Date.now() + 25_000) }
  await store
    .updateTable('export')
    .set({ status: 'running', bytes: null, sha256: null, rows: 0, ...lease })
    .where('export_id', '=', state.export_id)
    .execute()
  await app.stop()
  const parts = [
    `part-${state.export_id}`,
    `part-${state.export_id}-trips.csv`,
    '00000000-0000-4000-8000-000000000001',
  ]
  fs.rmSync(path.join(getExportsFolder(), state.export_id))
  for (const name of parts) fs.writeFileSync(path.join(getExportsFolder(), name), 'half')
  app = await openTestApp(app.dataDir)
  expect(listExportFiles().filter((name) => parts.includes(name))).toEqual([])
  await app.jobs.runNow('resume-exports')
  const again = await waitForExport(app, town.admin, state)
  expect([again.status, again.rows, again.sha256]).toEqual(['ready', state.rows, state.sha256])
  expect(await downloadBytes(app, again.url)).toHaveLength(state.bytes ?? 0)
  expect(listExportFiles().filter((name) => name.startsWith('part-'))).toEqual([])
})
