import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Import, uploadTrips } from '#contract/imports.ts'
import { hourMs } from '#contract/period.ts'
import { createRegion } from '#contract/regions.ts'
import { systemScope } from '#server/identity/scope.ts'
import { findIssue, listIssues } from '#server/issues/list-issues.ts'
import { findLastSnapshots } from '#server/live/snapshots/last-snapshots.ts'
import { listWeather } from '#server/weather/list-weather.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { call, openTestApp, type TestApp } from '../app.ts'
import { waitForImport, makePeople, type TestCity } from '../city.ts'
import { publishedData as data, pickSample } from '../city/published-files.ts'

const isPresent =
  fs.existsSync(path.join(data, 'columbus/sr311')) && fs.existsSync(path.join(data, 'portland/weather'))
if (!isPresent)
  console.warn('Skipped: the published files of Columbus and Portland, which are not at ../shared/data')

/** Reads the rows of a CSV file without quotation marks, without the header. */
const readPlainRows = (file: string): string[][] =>
  gunzipSync(fs.readFileSync(file))
    .toString()
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split(','))

describe.skipIf(!isPresent)('files of Columbus and Portland (skipped where ../shared/data is absent)', () => {
  let app: TestApp
  let city: TestCity
  const unpacked = fs.mkdtempSync(path.join(tmpdir(), 'publicway-311-'))
  beforeAll(async () => {
    app = await openTestApp()
    city = await makePeople(app)
    await call(app, city.admin, createRegion, {
      body: { regionId: 'columbus', text: 'Columbus', lat: 39.96, lon: -83, timezone: 'America/New_York' },
    })
    await call(app, city.admin, createRegion, {
      body: {
        regionId: 'latest',
        text: 'Columbus, the latest list only',
        lat: 39.96,
        lon: -83,
        timezone: 'America/New_York',
      },
    })
    await call(app, city.admin, createRegion, {
      body: {
        regionId: 'portland',
        text: 'Portland',
        lat: 45.52,
        lon: -122.67,
        timezone: 'America/Los_Angeles',
      },
    })
    execFileSync('tar', [
      'xzf',
      path.join(data, 'columbus/sr311/311_requests_hourly_snapshots.tar.gz'),
      '-C',
      unpacked,
    ])
  })
  afterAll(async () => {
    await app.close()
    fs.rmSync(unpacked, { recursive: true })
  })

  async function importFile(file: string, region_id: string): Promise<Import> {
    const sent = await call(app, city.admin, uploadTrips, {
      params: { region_id },
      query: { file_name: path.basename(file) },
      body: fs.readFileSync(file),
    })
    return sent.same_as ? sent : waitForImport(app, city.admin, sent)
  }

  it('files of Columbus and Portland have snapshots in which every position is read or set aside with a reason', async () => {
    const folder = path.join(data, 'columbus/gbfs_snapshots')
    const names = pickSample(fs.readdirSync(folder).sort(), 6)
    const found: Import[] = []
    for (const name of names) {
      const tripImport = await importFile(path.join(folder, name), 'columbus')
      const rows = readPlainRows(path.join(folder, name))
      expect([name, tripImport.kind, tripImport.status, tripImport.rows_read]).toEqual([
        name,
        'snapshot',
        'done',
        rows.length,
      ])
      // Every rejected row is twice in its file.
      expect([name, tripImport.reasons]).toEqual([
        name,
        tripImport.rows_rejected
          ? { duplicate_vehicle: rows.length - new Set(rows.map((row) => `${row[0]} ${row[1]}`)).size }
          : {},
      ])
      found.push(tripImport)
    }
    const sum = (getValue: (tripImport: Import) => number): number =>
      found.reduce((total, tripImport) => total + getValue(tripImport), 0)
    const rows = names.flatMap((name) => readPlainRows(path.join(folder, name)))
    expect(sum((tripImport) => tripImport.rows_accepted + tripImport.rows_rejected)).toBe(rows.length)
    const [stored] = await app.facts.rows<Record<string, string>>(
      systemScope,
      sql`select toString(count()) as vehicles, toString(uniqExact(snapshot_time)) as moments, toString(countIf(operator = 'veo')) as veo, toString(countIf(operator = 'spin')) as spin,
      toString(countIf(vehicle_type = 'other')) as untyped, toString(countIf(is_available is null)) as unknown, toString(countIf(is_disabled is null)) as short from ${latest('vehicle_snapshots')} where region_id = ${bind('String', 'columbus')}`,
    )
    const count = (getValue: (row: string[]) => boolean): string => String(rows.filter(getValue).length)
    expect(stored).toEqual({
      vehicles: String(sum((tripImport) => tripImport.rows_accepted)),
      moments: String(names.length),
      veo: count(([company]) => company === 'Veo'),
      spin: count(([company]) => company === 'Spin'),
      untyped: count((row) => row[2] === ''),
      unknown: count((row) => row[7] === ''),
      short: count((row) => (row[8] ?? '') === ''),
    })
    const last = await findLastSnapshots(app.facts, systemScope, 'columbus')
    expect(
      last.map(({ operator, at, vehicles }) => [
        operator,
        new Date(at).toISOString(),
        vehicles.length > 1000,
      ]),
    ).toEqual([
      ['spin', '2026-08-08T08:51:51.000Z', true],
      ['veo', '2026-08-08T08:51:51.000Z', true],
    ])
  }, 300_000)

  const readCases = (file: string) =>
    (
      JSON.parse(fs.readFileSync(file, 'utf8')) as {
        records: {
          CASE_ID: string
          STATUS: string
          STATUS_DATE: number | null
          REPORTED_DATE: number
          REQUEST_MODIFIED: number
        }[]
      }
    ).records

  it('files of Columbus and Portland have 135 cases in the latest list, the same in both forms', async () => {
    const latestFile = path.join(data, 'columbus/sr311/311_requests_latest.json')
    expect(await importFile(latestFile, 'latest')).toMatchObject({
      kind: 'issues',
      status: 'done',
      rows_read: 135,
      rows_accepted: 135,
      notes: ['135 issues were new or changed.'],
    })
    const all = await listIssues(app.state, systemScope, 'latest', { page: 1, size: 5000 })
    expect([all.total, all.items.filter(({ status }) => status === 'closed').length]).toEqual([135, 126])
    for (const { CASE_ID, STATUS, STATUS_DATE, REPORTED_DATE } of readCases(latestFile)) {
      const hours =
        STATUS === 'Closed' && STATUS_DATE !== null ? (STATUS_DATE - REPORTED_DATE) / hourMs : null
      expect(all.items.find(({ id }) => id === CASE_ID)).toMatchObject({
        source_status: STATUS,
        service_name: 'Shared Electric Bike & Scooters',
        resolution_time: hours,
        requested_time: new Date(REPORTED_DATE).toISOString(),
      })
    }
    expect(
      await importFile(path.join(data, 'columbus/sr311/data-311_normalised.json'), 'latest'),
    ).toMatchObject({ kind: 'issues', rows_read: 135, rows_accepted: 135 })
    const again = await listIssues(app.state, systemScope, 'latest', { page: 1, size: 5000 })
    expect(
      again.items.map(({ id, status, resolution_time, service_code, requested_time, lat }) => [
        id,
        status,
        resolution_time,
        service_code,
        requested_time,
        lat,
      ]),
    ).toEqual(
      all.items.map(({ id, status, resolution_time, service_code, requested_time, lat }) => [
        id,
        status,
        resolution_time,
        service_code,
        requested_time,
        lat,
      ]),
    )
  })

  it('files of Columbus and Portland have cases in hourly lists with their status changes, for lists in any order', async () => {
    const files = pickSample(fs.readdirSync(unpacked).sort(), 4)
    // Newest and oldest first in turn; the newest version of each case counts in any order.
    const order = files.map(
      (_, index) => files[index % 2 ? Math.floor(index / 2) : files.length - 1 - index / 2] as string,
    )
    for (const name of order)
      expect(await importFile(path.join(unpacked, name), 'columbus')).toMatchObject({
        kind: 'issues',
        rows_rejected: 0,
      })
    const { items, total } = await listIssues(app.state, systemScope, 'columbus', { page: 1, size: 5000 })
    const statuses = new Map<string, string[]>()
    const newest = new Map<string, { STATUS: string; REQUEST_MODIFIED: number }>()
    for (const name of files)
      for (const caseRow of readCases(path.join(unpacked, name))) {
        const statusesOfCase = statuses.get(caseRow.CASE_ID) ?? []
        if (statusesOfCase.at(-1) !== caseRow.STATUS)
          statuses.set(caseRow.CASE_ID, [...statusesOfCase, caseRow.STATUS])
        if (caseRow.REQUEST_MODIFIED >= (newest.get(caseRow.CASE_ID)?.REQUEST_MODIFIED ?? 0))
          newest.set(caseRow.CASE_ID, caseRow)
      }
    expect(total).toBe(statuses.size)
    expect(items.map(({ id, source_status }) => [id, source_status]).toSorted()).toEqual(
      [...newest].map(([id, { STATUS }]) => [id, STATUS]).toSorted(),
    )
    let changed = 0
    for (const { id } of items) {
      const { history } = await findIssue(app.state, systemScope, {
        regionId: 'columbus',
        issueId: id,
        source: undefined,
      })
      expect([id, history.map(({ source_status }) => source_status)]).toEqual([id, statuses.get(id)])
      if (history.length > 1) changed++
    }
    expect(changed).toBe([...statuses.values()].filter(({ length }) => length > 1).length)
    expect(changed).toBeGreaterThan(10)
  }, 300_000)

  it('files of Columbus and Portland have 2,768 days of weather of Portland, in our units', async () => {
    const file = path.join(data, 'portland/weather/NCDC-CDO-USC00356750.csv')
    expect(await importFile(file, 'portland')).toMatchObject({
      kind: 'weather',
      status: 'done',
      rows_read: 2768,
      rows_accepted: 2768,
      rows_rejected: 0,
    })
    const days = await listWeather(app.state, systemScope, 'portland', {})
    expect(days).toHaveLength(2768)
    expect([days[0]?.day, days.at(-1)]).toMatchObject([
      '2011-01-01',
      {
        day: '2018-07-31',
        precipitation_mm: 0,
        temperature_max_c: 32.22,
        temperature_min_c: 16.11,
        source: 'files:USC00356750',
      },
    ])
    const inches = fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .filter(Boolean)
      .map((line) => Number(line.match(/"([^"]*)"/g)?.[3]?.replaceAll('"', '')))
    expect(days.reduce((sum, { precipitation_mm }) => sum + (precipitation_mm ?? 0), 0)).toBeCloseTo(
      inches.reduce((sum, value) => sum + value * 25.4, 0),
      0,
    )
  })
})
