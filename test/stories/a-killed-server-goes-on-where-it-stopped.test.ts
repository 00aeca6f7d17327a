import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Import } from '#contract/imports.ts'
import { systemScope } from '#server/identity/scope.ts'
import { openFacts } from '#server/stores/open-facts.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import { createRandom } from '../city/random.ts'
import { createDataDir } from '../new-data-dir.ts'
import {
  signInAdministrator,
  createCaller,
  freePort,
  type ServerProcess,
  startServer,
  untilServing,
} from '../server-process.ts'

/** Kills in addition to one stop: one by default, more by KILL_RUNS. */
const killCount = Number(process.env['KILL_RUNS'] ?? 1)
/** Enough rows that the import still runs at the last kill. */
const rowCount = 100_000 * (1 + killCount)
const dataDir = createDataDir()
const settings = { DATA_DIR: dataDir, DEMO: 'off', HOST: '127.0.0.1' }
const random = createRandom(Date.now() % 1_000_000)

/** Makes trips with fixed ids, so that both regions must store the same. Some rows are invalid, some are repeated. */
function makeTripFile(): Uint8Array {
  const number = createRandom(7)
  const lines = [
    'ride_id,rideable_type,started_at,ended_at,start_station_name,start_station_id,end_station_name,end_station_id,start_lat,start_lng,end_lat,end_lng,member_casual',
  ]
  const makeId = (at: number): string =>
    `${at.toString(16).padStart(8, '0')}-0000-4000-8000-${(at * 7919).toString(16).padStart(12, '0')}`
  for (let at = 0; at < rowCount; at++) {
    const [day, minute] = [1 + (at % 28), Math.floor(number() * 60)]
    const hour = String(Math.floor(number() * 22)).padStart(2, '0')
    const started =
      at % 997 === 0
        ? 'no time'
        : `2026-05-${String(day).padStart(2, '0')} ${hour}:${String(minute).padStart(2, '0')}:00`
    const id = at % 1009 === 5 ? makeId(Math.floor(at / 2)) : makeId(at)
    lines.push(
      `${id},electric_bike,${started},2026-05-${String(day).padStart(2, '0')} ${String(Number(hour) + 1).padStart(2, '0')}:59:00,,,,,${(41.4 + number() * 0.2).toFixed(6)},${(-72.6 + number() * 0.2).toFixed(6)},${(41.4 + number() * 0.2).toFixed(6)},${(-72.6 + number() * 0.2).toFixed(6)},member`,
    )
  }
  return gzipSync(Buffer.from(lines.join('\n')), { level: 1 })
}

let server: ServerProcess
let token: string
const startTestServer = async (): Promise<ServerProcess> =>
  untilServing(startServer({ ...settings, PORT: String(await freePort()) }))
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

beforeAll(async () => {
  server = await startTestServer()
  const admin = await signInAdministrator(server)
  token = admin.token
  for (const regionId of ['calm', 'storm'])
    await admin.call('/v2/regions', 'POST', {
      regionId,
      text: regionId,
      lat: 41.5,
      lon: -72.5,
      timezone: 'America/New_York',
    })
})
afterAll(async () => {
  await server.kill('SIGKILL')
  fs.rmSync(dataDir, { recursive: true, force: true })
})

const getCounts = ({
  status,
  rows_read,
  rows_accepted,
  rows_flagged,
  rows_rejected,
  flags,
  reasons,
  problem,
}: Import) => ({ status, rows_read, rows_accepted, rows_flagged, rows_rejected, flags, reasons, problem })

async function waitForImport(
  admin: ReturnType<typeof createCaller>,
  { region_id, import_uuid }: Import,
): Promise<Import> {
  for (;;) {
    const tripImport = await admin.call<Import>(`/v2/regions/${region_id}/imports/${import_uuid}`)
    if (tripImport.status !== 'queued' && tripImport.status !== 'running') return tripImport
    await pause(200)
  }
}

test('an import that is killed again and again ends with exactly the rows of an undisturbed one', async () => {
  const file = makeTripFile()
  let admin = createCaller(server, token)
  const send = (region: string): Promise<Import> =>
    admin.call<Import>(`/v2/regions/${region}/imports?file_name=202605-divvy-tripdata.csv.gz`, 'POST', file)
  const calm = await waitForImport(admin, await send('calm'))
  expect(calm).toMatchObject({ status: 'done', rows_read: rowCount })
  expect(calm.rows_rejected).toBeGreaterThan(rowCount / 600)

  const storm = await send('storm')
  const stops: { signal: string; how: number | string; inTime: boolean }[] = []
  const rowCounts: number[] = []
  const moreKills = Array<'SIGKILL'>(killCount - 1).fill('SIGKILL')
  for (const signal of ['SIGKILL', 'SIGTERM', ...moreKills] as const) {
    await pause(random() * 500)
    const now = await admin.call<Import>(`/v2/regions/storm/imports/${storm.import_uuid}`)
    if (now.status === 'done') break
    rowCounts.push(now.rows_read)
    const at = performance.now()
    const how = await server.kill(signal)
    stops.push({ signal, how, inTime: performance.now() - at < 10_000 })
    server = await startTestServer()
    admin = createCaller(server, token)
  }
  const tripImport = await waitForImport(admin, storm)
  expect(getCounts(tripImport)).toEqual(getCounts(calm))
  expect(stops).toHaveLength(killCount + 1)
  // After SIGTERM the server ends by itself within ten seconds.
  expect(stops.filter(({ signal }) => signal === 'SIGTERM')).toEqual([
    { signal: 'SIGTERM', how: 0, inTime: true },
  ])
  // Data that was acknowledged before a kill exists after it.
  expect(rowCounts).toEqual(rowCounts.toSorted((a, b) => a - b))
  // The file is removed after the import is marked as done.
  await expect.poll(() => fs.readdirSync(path.join(dataDir, 'trip-files'))).toEqual([])

  expect(await server.kill('SIGTERM')).toBe(0)
  const store = await openFacts({ clickhouseUrl: null, dataDir })
  const readSummary = (region: string) =>
    store.rows(
      systemScope,
      sql`select count() as trips, uniqExact(trip_id) as ids, sum(cityHash64(trip_id, operator, start_time, end_time, local_date, start_lon, start_lat, end_lon, end_lat, quality, line)) as rows from ${facts('trips')} where region_id = ${bind('String', region)}`,
    )
  const readSetAside = (region: string) =>
    store.rows(
      systemScope,
      sql`select count() as aside, sum(cityHash64(line, reason, detail, raw)) as rows from ${facts('set_aside_rows')} where region_id = ${bind('String', region)}`,
    )
  try {
    expect(await readSummary('storm')).toEqual(await readSummary('calm'))
    expect(await readSummary('storm')).toMatchObject([
      { trips: String(calm.rows_accepted), ids: String(calm.rows_accepted) },
    ])
    expect(await readSetAside('storm')).toEqual(await readSetAside('calm'))
    expect(await store.rows(systemScope, sql`select count() as n from ${facts('trips_staging')}`)).toEqual([
      { n: '0' },
    ])
  } finally {
    await store.close()
  }
}, 300_000)

test('an upload that is interrupted by a kill leaves nothing behind', async () => {
  server = await startTestServer()
  const folder = path.join(dataDir, 'receiving')
  let isCut = false
  const slow = new ReadableStream({
    async pull(controller) {
      // The call fails without canceling its body, which would be read until the tests end.
      if (isCut) return controller.close()
      controller.enqueue(Buffer.from('ride_id,rideable_type,started_at,birth year\n'.repeat(20_000)))
      await pause(50)
    },
  })
  const sending = fetch(`${server.url}/v2/regions/storm/imports?file_name=cut.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: slow,
    duplex: 'half',
  } as RequestInit).catch(() => null)
  await expect.poll(() => fs.existsSync(folder) && fs.readdirSync(folder).length, { timeout: 10_000 }).toBe(1)
  await server.kill('SIGKILL')
  isCut = true
  expect(await sending).toBeNull()
  server = await startTestServer()
  expect(fs.existsSync(folder)).toBe(false)
  const { total } = await createCaller(server, token).call<{ total: number }>('/v2/regions/storm/imports')
  expect(total).toBe(1)
})
