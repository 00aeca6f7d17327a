import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { queryMostRecentTrips, getTripsExtent } from '#contract/evaluation.ts'
import { deleteImport, downloadSetAside, type Import, listImports } from '#contract/imports.ts'
import { systemScope } from '#server/identity/scope.ts'
import { setAsideColumns } from '#server/imports/trips/store-trip-chunk.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { makeRegions, sendTrips, type TestCity } from '../city.ts'
import { biketownFile, citiBikeFile, louisvilleFile, lyftFile } from '../city/trip-files.ts'
import { cityTrips, formatCsv, tripMapping } from '../city/trips.ts'

let app: TestApp
let city: TestCity
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
})
afterAll(() => app.close())

interface StoredTrip {
  trip_id: string
  operator: string
  vehicle_type: string
  vehicle_id: string
  start: string
  end: string | null
  start_lon: number
  distance: number
  duration: number
}
const readStoredTrips = ({ import_uuid }: Pick<Import, 'import_uuid'>): Promise<StoredTrip[]> =>
  app.facts.rows<StoredTrip>(
    systemScope,
    sql`select trip_id, operator, vehicle_type, vehicle_id, toString(start_time) as start, toString(end_time) as end, start_lon, round(distance_m) as distance, round(duration_s) as duration from ${facts('trips')} where import_id = ${bind('UUID', import_uuid)} order by line`,
  )
const countTrips = async (region_id: string): Promise<number> =>
  (await call(app, city.viewer, getTripsExtent, { params: { region_id } })).trips
const readSetAside = async ({ region_id, import_uuid }: Import): Promise<string> =>
  Buffer.from(
    await call(app, city.admin, downloadSetAside, { params: { region_id, import_uuid } }),
  ).toString()
const listFiles = (folder: string): string[] =>
  fs
    .readdirSync(folder, { withFileTypes: true, recursive: true })
    .flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []))

describe('a known layout', () => {
  it.each([
    {
      file: biketownFile,
      layout: 'biketown',
      first: {
        operator: 'biketown',
        vehicle_type: 'pedal_bicycle',
        vehicle_id: '7375',
        start: '2026-07-01 04:00:00.000',
        end: '2026-07-01 04:06:00.000',
        start_lon: -72.5,
        distance: 885,
        duration: 337,
      },
    },
    {
      file: lyftFile,
      layout: 'lyft',
      first: {
        operator: 'divvy',
        vehicle_type: 'bicycle',
        vehicle_id: '',
        start: '2026-02-03 17:08:42.000',
        end: '2026-02-03 17:18:42.000',
        start_lon: -72.51,
        duration: 600,
      },
    },
    {
      file: citiBikeFile,
      layout: 'citi-bike',
      first: {
        operator: 'citi-bike',
        vehicle_type: 'pedal_bicycle',
        vehicle_id: '17109',
        start: '2026-01-15 05:00:36.000',
        end: '2026-01-15 05:10:55.000',
        start_lon: -72.52,
        duration: 619,
      },
    },
    {
      file: louisvilleFile,
      layout: 'louisville',
      first: {
        operator: 'unknown',
        vehicle_type: 'scooter',
        vehicle_id: '',
        start: '2026-08-01 04:15:00.000',
        end: '2026-08-01 04:30:00.000',
        start_lon: -72.53,
        distance: 563,
        duration: 180,
      },
    },
  ])('$layout is recognized, read and counted', async ({ file, layout, first }) => {
    const before = await countTrips('alder')
    const sent = await sendTrips(app, city.admin, {
      region_id: 'alder',
      file_name: file.name,
      bytes: file.text,
    })
    expect(sent).toMatchObject({
      status: 'done',
      layout,
      problem: null,
      progress: 1,
      created_by: 'admin@alder.example',
      ...file.counts,
    })
    expect(sent.rows_read).toBe(sent.rows_accepted + sent.rows_rejected)
    expect(Object.values(sent.reasons).reduce((sum, count) => sum + count, 0)).toBe(sent.rows_rejected)
    const rows = await readStoredTrips(sent)
    expect(rows).toHaveLength(sent.rows_accepted)
    expect(rows[0]).toMatchObject(first)
    expect(await countTrips('alder')).toBe(before + sent.rows_accepted)
  })

  it('is recognized with its header in another spelling', async () => {
    const text = biketownFile.text
      .replace('StartLatitude,StartLongitude', 'Start_Latitude,Start_Longitude')
      .replace('Distance_Miles', 'Distance_Miles_')
      .replaceAll(/^(\d+)/gm, '9$1')
    expect(
      await sendTrips(app, city.admin, { region_id: 'alder', file_name: 'drift.csv', bytes: text }),
    ).toMatchObject({ layout: 'biketown', ...biketownFile.counts })
  })

  it('is read in other forms of text files', async () => {
    const text = biketownFile.text
    const forms: [string, Uint8Array][] = [
      ['utf-8 with a mark.csv', Buffer.from(`\uFEFF${text.replaceAll(/^(\d+)/gm, '81$1')}`)],
      ['windows line ends.csv', Buffer.from(text.replaceAll(/^(\d+)/gm, '82$1').replaceAll('\n', '\r\n'))],
      ['utf-16.csv', Buffer.from(`\uFEFF${text.replaceAll(/^(\d+)/gm, '83$1')}`, 'utf16le')],
      ['semicolons.csv', Buffer.from(text.replaceAll(/^(\d+)/gm, '84$1').replaceAll(',', ';'))],
      ['tabs.tsv', Buffer.from(text.replaceAll(/^(\d+)/gm, '85$1').replaceAll(',', '\t'))],
      ['no last line end.csv.gz', gzipSync(Buffer.from(text.replaceAll(/^(\d+)/gm, '86$1').trimEnd()))],
    ]
    for (const [file_name, bytes] of forms)
      expect(await sendTrips(app, city.admin, { region_id: 'alder', file_name, bytes })).toMatchObject({
        file_name,
        status: 'done',
        layout: 'biketown',
        ...biketownFile.counts,
      })
  })
})

test('rows that are set aside can be downloaded, with line and reason, safe for a spreadsheet', async () => {
  const text = biketownFile.text.replaceAll(/^(\d+)/gm, '87$1')
  const sent = await sendTrips(app, city.admin, {
    region_id: 'alder',
    file_name: '=cmd|x "rows".csv',
    bytes: text,
  })
  const response = await send(app, city.admin, downloadSetAside, { params: sent })
  expect(response.headers['content-type']).toMatch(/^text\/csv/)
  expect(response.headers['content-disposition']).toBe(
    'attachment; filename="set-aside__cmd_x_rows_.csv.csv"',
  )
  const [header, ...lines] = (await readSetAside(sent)).trimEnd().split('\r\n')
  expect(header).toBe(
    'line,reason,found,RouteID,StartLatitude,StartLongitude,StartDate,StartTime,EndLatitude,EndLongitude,EndDate,EndTime,BikeID,Distance_Miles,Duration',
  )
  expect(lines).toHaveLength(sent.rows_rejected)
  expect(lines.map((line) => line.split(',').slice(0, 2).join(','))).toEqual([
    '5,Every field is empty',
    '6,The start time is not valid',
    '7,A coordinate is not a number',
    '8,More or fewer fields than the header',
    '9,The same trip is on an earlier line of this file',
    '11,A quotation mark opens and never closes',
  ])
  expect(lines[2]).toContain("'=1+1")
  // Rows that an earlier version stored in full are shown with line and reason only.
  const old = `alder\t${sent.import_uuid}\t0\t12\tunclosed_quote\t7,Ada\t["7","Ada"]\n`
  await app.facts.insert(systemScope, 'set_aside_rows', {
    columns: setAsideColumns,
    regionId: 'alder',
    lines: Buffer.from(old),
  })
  const again = await readSetAside(sent)
  expect(again).toContain('\r\n12,A quotation mark opens and never closes,,,')
  expect(again).not.toContain('Ada')
})

test('birth years and genders are stored nowhere: not in facts, rejected rows or on disk', async () => {
  const sent = await sendTrips(app, city.admin, {
    region_id: 'alder',
    file_name: 'JC-201601-citibike-tripdata.csv',
    bytes: citiBikeFile.text
      .replaceAll('17109', '17110')
      .replaceAll('1961', '19610709')
      .replaceAll('1984', '19610709')
      .replaceAll(/,([012])$/gm, ',gender-$1'),
  })
  expect(sent.reasons).toEqual({ bad_start_time: 1, column_count: 1, unclosed_quote: 1, already_stored: 1 })
  const csv = await readSetAside(sent)
  expect(csv.split('\r\n')[0]).not.toMatch(/birth|gender|usertype/)
  expect(csv).not.toMatch(/19610709|gender-/)
  expect(
    await app.facts.rows(
      systemScope,
      sql`select raw from ${facts('set_aside_rows')} where raw like '%19610709%' or raw like '%gender-%'`,
    ),
  ).toEqual([])
  expect(await app.facts.rows(systemScope, sql`select trip_id from ${facts('trips_staging')}`)).toEqual([])
  // The uploaded file is gone, and no file of the stores contains the year of birth (larger ones are compressed).
  await expect.poll(() => listFiles(path.join(app.dataDir, 'trip-files'))).toEqual([])
  expect(listFiles(app.dataDir).filter((file) => fs.readFileSync(file).includes('19610709'))).toEqual([])
})

describe('a repeated trip file', () => {
  const text = formatCsv(cityTrips.slice(0, 300))

  it('changes nothing, whether plain, compressed or under another name', async () => {
    const first = await sendTrips(app, city.admin, {
      region_id: 'birch',
      file_name: 'rides.csv',
      bytes: text,
      mapping: tripMapping,
    })
    expect(first).toMatchObject({ rows_accepted: 300, same_as: null })
    for (const [name, bytes] of [
      ['rides.csv', text],
      ['rides.csv.gz', gzipSync(text)],
      ['other.csv.gz', gzipSync(text, { level: 1 })],
    ] as const) {
      const again = await sendTrips(app, city.admin, { region_id: 'birch', file_name: name, bytes })
      expect(again).toMatchObject({
        import_uuid: first.import_uuid,
        same_as: first.import_uuid,
        status: 'done',
        rows_accepted: 300,
      })
    }
    expect(await countTrips('birch')).toBe(300)
    expect((await call(app, city.admin, listImports, { params: { region_id: 'birch' } })).total).toBe(1)
    await expect.poll(() => listFiles(path.join(app.dataDir, 'trip-files'))).toEqual([])
  })

  it('is one import with a concurrent copy', async () => {
    const bytes = formatCsv(cityTrips.slice(1000, 1100))
    const both = await Promise.all([
      sendTrips(app, city.admin, { region_id: 'birch', file_name: 'a.csv', bytes }),
      sendTrips(app, city.admin, { region_id: 'birch', file_name: 'b.csv', bytes }),
    ])
    const rows = (await Promise.all(both.map(readStoredTrips))).flat()
    expect(new Set(rows.map(({ trip_id }) => trip_id)).size).toBe(100)
    expect(await countTrips('birch')).toBe(400)
  })

  it('has its existing rows set aside if it repeats in part, and the others imported', async () => {
    const before = await countTrips('birch')
    const overlapping = await sendTrips(app, city.admin, {
      region_id: 'birch',
      file_name: 'overlapping.csv',
      bytes: formatCsv(cityTrips.slice(200, 450)),
    })
    expect(overlapping).toMatchObject({
      rows_read: 250,
      rows_accepted: 150,
      rows_rejected: 100,
      reasons: { already_stored: 100 },
    })
    expect(await countTrips('birch')).toBe(before + 150)
    expect(
      (await readSetAside(overlapping))
        .split('\r\n')
        .filter((line) => line.includes('The same trip was already stored')),
    ).toHaveLength(100)
    // Flags refer only to stored rows.
    const flagged = (
      await app.facts.rows<{ n: string }>(
        systemScope,
        sql`select count() as n from ${facts('trips')} where import_id = ${bind('UUID', overlapping.import_uuid)} and quality != 0`,
      )
    )[0]
    expect(overlapping.rows_flagged).toBe(Number(flagged?.n))
  })

  it('has separate trips in another region', async () => {
    const there = await sendTrips(app, city.stranger, {
      region_id: 'cedar',
      file_name: 'rides.csv',
      bytes: text,
      mapping: tripMapping,
    })
    expect(there).toMatchObject({ rows_accepted: 300, same_as: null })
  })

  it('can be imported again after its removal', async () => {
    const { items } = await call(app, city.admin, listImports, { params: { region_id: 'birch' } })
    const first = items.at(-1) as Import
    const before = await countTrips('birch')
    expect(await call(app, city.admin, deleteImport, { params: first })).toEqual({
      deleted_trips: 300,
      deleted_rows: 300,
    })
    expect(await countTrips('birch')).toBe(before - 300)
    expect(readProblem(await send(app, city.admin, deleteImport, { params: first })).status).toBe(404)
    expect(readProblem(await send(app, city.admin, downloadSetAside, { params: first })).status).toBe(404)
    expect(
      (await call(app, city.viewer, queryMostRecentTrips, { query: { region_id: 'birch' } })).data.length,
    ).toBeLessThanOrEqual(before - 300)
    expect(
      await sendTrips(app, city.admin, { region_id: 'birch', file_name: 'rides.csv', bytes: text }),
    ).toMatchObject({ rows_accepted: 300, same_as: null })
    expect(await countTrips('birch')).toBe(before)
  })
})
