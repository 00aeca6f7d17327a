import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { addDays, dayMs } from '#contract/period.ts'
import type { Manifest } from '#server/operations/backup/manifest.ts'
import { verifyArgument } from '#server/operations/backup/verify.ts'
import { lastMonth, millionTripsPerMonth, storeMonth } from './billing-facts.ts'
import { getOrigin, signIn } from './client.ts'
import { storeTrips } from './exports.ts'
import { cityVehicles } from './fleet-days.ts'
import type { Bench } from './open-bench.ts'
import { runAtRate } from './run-at-rate.ts'
import { median, percentile, type Report, measureMs } from './table.ts'

const days = 364
const perSecond = 4

export interface BackupOptions {
  /** Millions of trips. */
  millions: number
  /** How long each round of page calls lasts. */
  seconds: number
}

/**
 * Measures pages of a city without backups and while one backup follows another (goal: at most 10% slower),
 * and the time that a backup and an increment take. The client runs in the same process.
 */
export async function benchBackup(
  bench: Bench,
  { millions, seconds }: BackupOptions,
  report: Report,
): Promise<void> {
  const { app, regionId, neighborhoods } = bench
  await storeTrips(bench, millions * 1_000_000, days)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  const cookie = await signIn(bench, port, ['is_admin'])
  const region = `${getOrigin(port)}/v2/regions/${regionId}`
  const getDay = (index: number): string =>
    new Date(Date.UTC(2026, 0, 1) + index * dayMs).toISOString().slice(0, 10)
  const call = (path: string, body?: object): Promise<number> =>
    measureMs(async () => {
      const response = await fetch(region + path, {
        method: body ? 'POST' : 'GET',
        headers: { cookie, origin: getOrigin(port), ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${path} returned status ${response.status}`)
    })
  let sent = 0
  const pages: Record<string, () => Promise<number>> = {
    layers: () => call('/layers'),
    live: () => call('/vehicles/live'),
    region: () => call(''),
    // The days differ each time, so that no result comes from the cache.
    map: () =>
      call('/spatial', {
        mode: 'trips',
        aggregation: 'origins',
        shape_layer_uuid: neighborhoods.shape_layer_uuid,
        start_date: getDay(sent++ % 200),
        end_date: getDay(200 + (sent % 150)),
      }),
  }
  const names = Object.keys(pages)
  const measure = async (): Promise<Map<string, number[]>> => {
    const samples = await runAtRate(
      seconds,
      perSecond,
      (index) => pages[names[index % names.length] ?? '']?.() ?? Promise.reject(),
    )
    return new Map(
      names.map((name, offset) => [name, samples.filter((_, index) => index % names.length === offset)]),
    )
  }
  await measure()
  const alone = await measure()
  const stop = new AbortController()
  const durations: number[] = []
  let bytes = 0
  const backups = (async () => {
    while (!stop.signal.aborted)
      durations.push(
        await measureMs(async () => {
          const { manifest } = await app.operations.backups.make()
          bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
        }),
      )
  })()
  const whileBackedUp = await measure()
  stop.abort()
  await backups
  report.add(
    `backup, ${millions} M trips`,
    's',
    durations.map((ms) => ms / 1000),
  )
  report.add(`backup, ${millions} M trips, size`, 'MB', [bytes / 2 ** 20])
  let increment = 0
  const incrementMs = await measureMs(async () => {
    const { manifest } = await app.operations.backups.make(true)
    increment = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
  })
  report.add(`increment of a backup, ${millions} M trips`, 's', [incrementMs / 1000])
  report.add(`increment of a backup, ${millions} M trips, size`, 'MB', [increment / 2 ** 20])
  for (const name of names) {
    const [before = [], during = []] = [alone.get(name), whileBackedUp.get(name)]
    report.add(`page "${name}", alone`, 'ms', before)
    report.add(`page "${name}", during backups`, 'ms', during)
    report.add(`page "${name}", ratio of the medians (goal 1.1)`, 'times', [median(during) / median(before)])
    report.add(`page "${name}", p95 alone and during backups`, 'ms', [
      percentile(before, 0.95),
      percentile(during, 0.95),
    ])
  }
}

const monthDays = 31

/** Reads the CPU time of this process and of child processes that have ended, s. */
function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  const fields = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  const clockTicks = 100
  return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / clockTicks
}

/**
 * Measures backup, increment and restore of an L city (15,000 vehicles, 150,000 trips a day); 9 million trips
 * are 60 days. The restore is the check of a backup in a separate process: it restores the backup into a folder
 * and compares the rows of all tables.
 */
export async function benchRestore(bench: Bench, millions: number, report: Report): Promise<void> {
  const { app, directory } = bench
  let month = lastMonth(bench, new Date())
  const moveBack = (day: string): string => addDays(day, -monthDays)
  for (let remaining = millions; remaining > 0; remaining -= millionTripsPerMonth) {
    const share = Math.min(1, remaining / millionTripsPerMonth)
    await storeMonth(bench, month, Math.round(share * cityVehicles))
    report.log(`restore: ${remaining} million trips remain to be stored`)
    month = { start_date: moveBack(month.start_date), end_date: moveBack(month.end_date) }
  }
  const name = `L city, ${millions} M trips`
  const getMegabytes = ({ files }: Manifest): number =>
    files.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20
  const addRow = async (what: string, work: () => Promise<number>): Promise<void> => {
    const cpu = readCpuSeconds()
    let megabytes = 0
    const seconds = (await measureMs(async () => void (megabytes = await work()))) / 1000
    report.add(`${what}, ${name}`, 's', [seconds])
    report.add(`${what}, ${name}: CPU time`, 's', [readCpuSeconds() - cpu])
    report.add(`${what}, ${name}: size (${(megabytes / seconds).toFixed(0)} MB/s)`, 'MB', [megabytes])
  }
  let folder = ''
  await addRow('backup of a running server', async () => {
    const backup = await app.operations.backups.make()
    folder = backup.folder
    return getMegabytes(backup.manifest)
  })
  // One more day of the city.
  await storeMonth(bench, month, Math.round(cityVehicles / monthDays))
  await addRow('increment after a day', async () =>
    getMegabytes((await app.operations.backups.make(true)).manifest),
  )
  await bench.close()
  await addRow('restore with its checks', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts', verifyArgument, folder], {
      env: { ...process.env, DATA_DIR: path.join(directory, 'restored'), DEMO: 'off' },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const [code] = (await once(child, 'exit')) as [number]
    if (code !== 0) throw new Error(`The backup cannot be restored (${code})`)
    return (
      fs.readdirSync(folder).reduce((sum, file) => sum + fs.statSync(path.join(folder, file)).size, 0) /
      2 ** 20
    )
  })
}
