import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { getTripsExtent } from '#contract/evaluation.ts'
import {
  deleteImport,
  getImport,
  type Import,
  importOrders,
  listImports,
  retryImport,
  uploadTrips,
} from '#contract/imports.ts'
import { claimImport, endRun, findNextImport, resumeImports } from '#server/imports/import-queue.ts'
import { recognizeLayout } from '#server/imports/recognize-layout.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { waitForImport, makeRegions, sendTrips, type TestCity } from '../city.ts'
import { biketownFile } from '../city/trip-files.ts'

let app: TestApp
let city: TestCity
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
})
afterAll(() => app.close())

const getFolder = (): string => path.join(app.dataDir, 'trip-files')
const readImports = async (region_id: string): Promise<Import[]> =>
  (await call(app, city.admin, listImports, { params: { region_id } })).items
const countTrips = async (region_id: string): Promise<number> =>
  (await call(app, city.viewer, getTripsExtent, { params: { region_id } })).trips

const header =
  'ride_id,rideable_type,started_at,ended_at,start_station_name,start_station_id,end_station_name,end_station_id,start_lat,start_lng,end_lat,end_lng,member_casual'
const makeTripFile = (rows: number): Uint8Array =>
  gzipSync(
    [
      header,
      ...Array.from(
        { length: rows },
        (_, index) =>
          `${randomUUID()},electric_bike,2026-05-0${1 + (index % 9)} 10:00:00,2026-05-0${1 + (index % 9)} 10:20:00,,,,,41.49,-72.5,41.48,-72.49,member`,
      ),
    ].join('\n'),
    { level: 1 },
  )

/** Inserts an import into the database. The job does not notice it until it is woken. */
async function recordImport(
  regionId: string,
  minute: number,
  overrides: Record<string, unknown> = {},
): Promise<string> {
  const importId = randomUUID()
  fs.mkdirSync(getFolder(), { recursive: true })
  const filePath = path.join(getFolder(), importId)
  fs.writeFileSync(filePath, biketownFile.text)
  await app.state
    .as(systemScope)
    .insertInto('import')
    .values({
      import_id: importId,
      region_id: regionId,
      file_name: 'x.csv',
      file_path: filePath,
      bytes: 9,
      content_hash: importId,
      header_hash: 'x',
      kind: 'trips',
      status: 'queued',
      layout: 'biketown',
      mapping: null,
      created_by: null,
      created_time: new Date(Date.UTC(2026, 0, 1, 0, minute)),
      ...overrides,
    })
    .execute()
  return importId
}

test('regions take turns, a region runs one import at a time, and no import is claimed twice', async () => {
  const [first, second, third] = [
    await recordImport('alder', 1),
    await recordImport('alder', 2),
    await recordImport('birch', 3),
  ]
  const getInstant = (second: number): Date => new Date(Date.UTC(2026, 0, 2, 0, 0, second))
  const claim = async (importId: string, regionId: string, second: number) =>
    (
      await claimImport(
        app.state,
        regionScope(city.organizations.alder, regionId),
        { organizationId: city.organizations.alder, regionId, importId },
        { owner: `owner of ${importId}`, at: getInstant(second) },
      )
    )?.row.import_id
  expect((await findNextImport(app.state, getInstant(0)))?.importId).toBe(first)
  expect(await claim(first, 'alder', 0)).toBe(first)
  expect(await claim(second, 'alder', 1)).toBeUndefined()
  // The file of the other region is newer, but that region runs no import.
  expect((await findNextImport(app.state, getInstant(1)))?.importId).toBe(third)
  expect(await claim(third, 'birch', 1)).toBe(third)
  expect(await findNextImport(app.state, getInstant(2))).toBeNull()
  // Both runs end, so the region that was served longest ago is next.
  for (const [importId, regionId] of [
    [first, 'alder'],
    [third, 'birch'],
  ] as const)
    await endRun(app.state, regionScope(city.organizations.alder, regionId), {
      owner: `owner of ${importId}`,
      importId,
      end: { status: 'queued', problem: null },
      at: getInstant(3),
    })
  expect((await findNextImport(app.state, getInstant(4)))?.importId).toBe(first)
  expect(await claim(first, 'alder', 4)).toBe(first)
  // The lease of a process that is gone expires.
  expect((await findNextImport(app.state, getInstant(5)))?.importId).toBe(third)
  expect(await claim(third, 'birch', 5)).toBe(third)
  expect((await findNextImport(app.state, getInstant(60)))?.importId).toBe(first)
  await app.state.as(systemScope).deleteFrom('import').execute()
  fs.rmSync(getFolder(), { recursive: true })
})

test('an import is canceled while it runs and leaves nothing behind, also after a restart', async () => {
  const sent = await call(app, city.admin, uploadTrips, {
    params: { region_id: 'alder' },
    query: { file_name: '202605-divvy-tripdata.csv.gz' },
    body: makeTripFile(120_000),
  })
  const small = await call(app, city.admin, uploadTrips, {
    params: { region_id: 'alder' },
    query: { file_name: '2026_07.csv' },
    body: Buffer.from(biketownFile.text),
  })
  await expect
    .poll(async () => (await call(app, city.admin, getImport, { params: sent })).rows_read, {
      timeout: 60_000,
    })
    .toBeGreaterThan(0)
  const { deleted_trips } = await call(app, city.admin, deleteImport, { params: sent })
  expect(deleted_trips).toBeGreaterThan(0)
  expect(readProblem(await send(app, city.admin, getImport, { params: sent })).status).toBe(404)
  // The next file of the region is imported.
  expect(await waitForImport(app, city.admin, small)).toMatchObject({
    status: 'done',
    ...biketownFile.counts,
  })
  await app.stop()
  app = await openTestApp(app.dataDir)
  expect(await resumeImports(app.state, app.jobs, new Date())).toBe(false)
  expect((await readImports('alder')).map(({ import_uuid }) => import_uuid)).toEqual([small.import_uuid])
  expect([await countTrips('alder'), fs.readdirSync(getFolder())]).toEqual([
    biketownFile.counts.rows_accepted,
    [],
  ])
  expect(app.logged.filter((line) => line.includes('import'))).toEqual([])
})

test('an interrupted removal is finished at the next start', async () => {
  const done = await sendTrips(app, city.admin, {
    region_id: 'birch',
    file_name: '2026_07.csv',
    bytes: biketownFile.text,
  })
  expect(done.status).toBe('done')
  await app.state
    .as(systemScope)
    .updateTable('import')
    .set({ status: 'canceling' })
    .where('import_id', '=', done.import_uuid)
    .execute()
  await app.stop()
  app = await openTestApp(app.dataDir)
  expect(await resumeImports(app.state, app.jobs, new Date())).toBe(true)
  await expect.poll(() => readImports('birch'), { timeout: 60_000 }).toEqual([])
  expect(await countTrips('birch')).toBe(0)
})

test('an import of a process that is gone continues at the start, without an error', async () => {
  const known = recognizeLayout(biketownFile.text.split('\n')[0]?.split(',') ?? [], '2026_07.csv')
  const importId = await recordImport('birch', 1, {
    status: 'running',
    started_time: new Date(),
    lease_owner: 'gone',
    lease_until: new Date(Date.now() + 60_000),
    mapping: JSON.stringify({ ...known?.mapping, date_order: 'mdy' }),
  })
  await app.stop()
  app = await openTestApp(app.dataDir)
  await resumeImports(app.state, app.jobs, new Date())
  expect(await waitForImport(app, city.admin, { region_id: 'birch', import_uuid: importId })).toMatchObject({
    status: 'done',
    rows_accepted: biketownFile.counts.rows_accepted,
    rows_rejected: biketownFile.counts.rows_rejected,
  })
  expect(app.logged.filter((line) => line.includes('import'))).toEqual([])
})

test('a dead import ends by itself with the reason', async () => {
  const crashing = await recordImport('birch', 1, { started_time: new Date(), attempts: 5 })
  const lost = await recordImport('alder', 2)
  fs.rmSync(path.join(getFolder(), lost))
  await resumeImports(app.state, app.jobs, new Date())
  expect(await waitForImport(app, city.admin, { region_id: 'birch', import_uuid: crashing })).toMatchObject({
    status: 'failed',
    problem: 'The server stopped each time it read this file. Send the file in parts, or try again.',
  })
  expect(await waitForImport(app, city.admin, { region_id: 'alder', import_uuid: lost })).toMatchObject({
    status: 'failed',
    problem: expect.stringContaining('The received file is no longer on the server. Send it again.'),
  })
})

test('an import on a full disk reports it, and continues once there is space', async () => {
  const insert = vi
    .spyOn(app.facts, 'insert')
    .mockRejectedValue(
      new Error('Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)'),
    )
  const sent = await call(app, city.admin, uploadTrips, {
    params: { region_id: 'alder' },
    query: { file_name: '202606-divvy-tripdata.csv.gz' },
    body: makeTripFile(50),
  })
  expect(await waitForImport(app, city.admin, sent)).toMatchObject({
    status: 'failed',
    problem:
      'The disk of the server is full, so no more rows can be stored. Free space on it first. 0 rows before that are stored; try again to go on from there.',
  })
  insert.mockRestore()
  await call(app, city.admin, retryImport, { params: sent })
  expect(await waitForImport(app, city.admin, sent)).toMatchObject({
    status: 'done',
    problem: null,
    rows_accepted: 50,
  })
})

test('a small file of endless empty rows is rejected at upload', async () => {
  const bomb = gzipSync(Buffer.concat([Buffer.from(`${header}\n`), Buffer.alloc(100 * 1024 * 1024, '\n')]))
  const response = await send(app, city.admin, uploadTrips, {
    params: { region_id: 'alder' },
    query: { file_name: '202605-divvy-tripdata.csv.gz' },
    body: bomb,
  })
  expect(readProblem(response)).toMatchObject({
    status: 422,
    detail: expect.stringMatching(/250 times its size|empty rows/),
  })
})

test('the import list is filtered and sorted; its pages have each import once', async () => {
  const ids = await Promise.all(
    Array.from({ length: 23 }, (_, index) =>
      recordImport('birch', 100 + Math.floor(index / 4), {
        file_name: `List_${['a', 'b', 'c'][index % 3]}.csv`,
        status: index % 2 ? 'done' : 'failed',
        bytes: index % 5,
        rows_read: index % 4,
      }),
    ),
  )
  const list = (query: object) =>
    call(app, city.admin, listImports, {
      params: { region_id: 'birch' },
      query: { search: 'list_', ...query },
    })
  for (const key of importOrders)
    for (const order_by of [key, `-${key}` as const]) {
      const whole = (await list({ order_by, size: 300 })).items
      expect([order_by, whole.map(({ import_uuid: id }) => id).toSorted()]).toEqual([
        order_by,
        ids.toSorted(),
      ])
      const values = whole.map((tripImport) => tripImport[key])
      const sorted = values.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
      expect([order_by, values]).toEqual([order_by, order_by === key ? sorted : sorted.toReversed()])
      const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => list({ order_by, page, size: 5 })))
      expect([order_by, pages.flatMap(({ items }) => items)]).toEqual([order_by, whole])
    }
  const newest = (await list({ size: 300 })).items
  expect(newest).toEqual((await list({ order_by: '-created_time', size: 300 })).items)
  // An underscore is not a wildcard.
  expect((await list({ search: 'LIST_A' })).items.every(({ file_name: name }) => name === 'List_a.csv')).toBe(
    true,
  )
  expect((await list({ search: 'x_csv' })).total).toBe(0)
  expect(await list({ status: 'failed', size: 5 })).toMatchObject({
    total: 12,
    items: Array.from({ length: 5 }, () => ({ status: 'failed' })),
  })
  expect(
    readProblem(
      await send(app, city.admin, listImports, {
        params: { region_id: 'birch' },
        query: { order_by: 'problem' as 'bytes', page: 1, size: 5 },
      }),
    ).status,
  ).toBe(422)
})
