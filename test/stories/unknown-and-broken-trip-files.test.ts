import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { getTripsExtent } from '#contract/evaluation.ts'
import {
  deleteImport,
  downloadSetAside,
  type Import,
  listImports,
  previewImport,
  retryImport,
  sendStations,
  startImport,
  type TripMapping,
  uploadTrips,
} from '#contract/imports.ts'
import { systemScope } from '#server/identity/scope.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { waitForImport, makeRegions, sendTrips, type TestCity } from '../city.ts'
import { biketownFile, lyftFile } from '../city/trip-files.ts'
import { cityTrips, formatCsv, tripColumns, tripMapping } from '../city/trips.ts'

let app: TestApp
let city: TestCity
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
})
afterAll(() => app.close())

const upload = (bytes: Uint8Array | string, file_name = 'trips.csv', region_id = 'alder') =>
  send(app, city.admin, uploadTrips, {
    params: { region_id },
    query: { file_name },
    body: Buffer.from(bytes),
  })
const countTrips = async (region_id: string): Promise<number> =>
  (await call(app, city.viewer, getTripsExtent, { params: { region_id } })).trips
const readImports = async (region_id: string): Promise<Import[]> =>
  (await call(app, city.admin, listImports, { params: { region_id } })).items
const listStoredFiles = (): string[] =>
  fs.existsSync(path.join(app.dataDir, 'trip-files'))
    ? fs.readdirSync(path.join(app.dataDir, 'trip-files'))
    : []

describe('a file other than a trip file is rejected with a reason and not stored:', () => {
  const packed = gzipSync(Buffer.from(biketownFile.text.repeat(200)))
  const damaged = Buffer.from(packed).fill(0x55, 200, 260)
  it.each([
    ['nothing', Buffer.alloc(0), /empty \(0 bytes\)/],
    ['an empty gzip', gzipSync(Buffer.alloc(0)), /empty/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), /picture/],
    [
      'a packed picture',
      gzipSync(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])),
      /picture/,
    ],
    [
      'a spreadsheet',
      zipSync({ '[Content_Types].xml': Buffer.from('x') }),
      /is a spreadsheet\. Save the sheet as CSV/,
    ],
    [
      'a zip of pictures',
      zipSync({ 'a.png': Buffer.from('x') }),
      /contains no CSV, JSON or GeoJSON file \(a\.png\)/,
    ],
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ'), /PDF/],
    ['a Parquet file', Buffer.from('PAR1\u0015\u0004'), /Parquet/],
    ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0]), /binary/],
    ['a letter', 'Dear city,\nplease find our trips enclosed.\n', /CSV/],
    ['a web page after a comment', '<!-- made, by, us -->\n<html>Not, found</html>\n', /web page/],
    ['a web page', '<!doctype html>\n<html><body>Not, found, here</body></html>\n', /web page/],
    ['JSON', '{"trips":[{"id":1}]}', /CSV/],
    ['a gzip without its end', packed.subarray(0, packed.length - 30), /truncated/],
    ['a damaged gzip', damaged, /damaged/],
    ['an open quotation mark in the header', '"ride_id,started_at,ended_at\na,b,c\n', /quotation mark/],
    ['column names without rows', biketownFile.text.split('\n')[0] ?? '', /no rows below/],
    [
      'a table of 100,000 columns',
      Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(','),
      /100,000 columns; at most 500/,
    ],
    ['one endless line', 'a,b,c'.repeat(400_000), /million characters/],
  ])('%s', async (_, bytes, text) => {
    const problem = readProblem(await upload(bytes))
    expect(problem).toMatchObject({
      status: 422,
      code: 'validation_error',
      detail: expect.stringMatching(text),
    })
    expect(problem.detail).not.toMatch(/undefined|Error|\bat \//)
    expect([await countTrips('alder'), await readImports('alder'), listStoredFiles()]).toEqual([0, [], []])
  })
})

describe('a file with an unknown header', () => {
  let waiting: Import
  const file = formatCsv(cityTrips.slice(0, 120))
  const preview = (mapping: TripMapping | null) =>
    call(app, city.admin, previewImport, { params: waiting, body: { mapping } })
  const withColumns = (
    columns: TripMapping['columns'],
    overrides: Partial<TripMapping> = {},
  ): TripMapping => ({ ...tripMapping, ...overrides, columns: { ...tripMapping.columns, ...columns } })

  it('waits for its mapping, and nothing is stored until then', async () => {
    waiting = await sendTrips(app, city.admin, {
      region_id: 'alder',
      file_name: 'rides-of-march.csv',
      bytes: file,
    })
    expect(waiting).toMatchObject({ status: 'needs_mapping', layout: null, rows_read: 0, progress: 0 })
    expect(await countTrips('alder')).toBe(0)
    expect(listStoredFiles()).toHaveLength(1)
  })

  it('is previewed with its first rows unchanged, as read with the suggested mapping, and with another', async () => {
    const guessed = await preview(null)
    expect(guessed.header).toEqual([...tripColumns])
    expect(guessed.rows[0]?.slice(0, 4)).toEqual([
      'ride-0',
      cityTrips[0]?.operator,
      cityTrips[0]?.vehicleType,
      cityTrips[0]?.start,
    ])
    expect(guessed.rows.flat().filter((field) => field === '1961' || field === 'woman')).toEqual([])
    expect(guessed.problems.length).toBeGreaterThan(0)
    const read = await preview(tripMapping)
    expect(read.problems).toEqual([])
    expect(read.read).toHaveLength(20)
    expect(read.read[3]).toMatchObject({
      line: 5,
      reason: null,
      trip: {
        operator: cityTrips[3]?.operator,
        start_lon: cityTrips[3]?.from?.[0],
        distance_m: cityTrips[3]?.meters,
      },
    })
    expect(read.read[0]?.flags).toContain('ends_before_start')
    const wrong = await preview(withColumns({ start_time: 'company' }))
    expect(wrong.problems).toEqual(['None of these rows can be read with this mapping.'])
    expect(wrong.read[0]).toMatchObject({
      trip: null,
      reason: expect.stringContaining('start time is not valid'),
    })
  })

  it.each([
    ['a time read from text', { start_time: 'company' }, /None of the first 120 rows can be read.*line 2/],
    ['a place read from text', { start_lon: 'kind' }, /None of the first 120 rows can be read/],
    ['a distance read from text', { distance: 'gender' }, /None of the first 120 rows can be read.*distance/],
    ['a column that is not there', { end_lat: 'nowhere' }, /no column 'nowhere'/],
    ['a start without a place', { start_lat: '' }, /longitude and latitude|no column ''/],
  ])('%s is refused, nothing is stored and the file still waits', async (_, columns, text) => {
    const problem = readProblem(
      await send(app, city.admin, startImport, { params: waiting, body: { mapping: withColumns(columns) } }),
    )
    expect(problem).toMatchObject({ status: 422, detail: expect.stringMatching(text) })
    expect([await countTrips('alder'), (await readImports('alder')).map(({ status }) => status)]).toEqual([
      0,
      ['needs_mapping'],
    ])
  })

  it('is imported with a mapping that fits', async () => {
    await call(app, city.admin, startImport, { params: waiting, body: { mapping: tripMapping } })
    const tripImport = await waitForImport(app, city.admin, waiting)
    expect(tripImport).toMatchObject({ status: 'done', rows_read: 120, rows_accepted: 120, rows_rejected: 0 })
    await expect.poll(listStoredFiles).toEqual([])
    expect(
      readProblem(
        await send(app, city.admin, startImport, { params: waiting, body: { mapping: tripMapping } }),
      ).status,
    ).toBe(409)
    expect(readProblem(await send(app, city.admin, retryImport, { params: waiting })).status).toBe(409)
  })

  it('has a header that is known from then on, in every region of the organization only', async () => {
    expect(
      await sendTrips(app, city.admin, {
        region_id: 'alder',
        file_name: 'rides-of-april.csv',
        bytes: formatCsv(cityTrips.slice(120, 200)),
      }),
    ).toMatchObject({ status: 'done', layout: null, rows_accepted: 80 })
    expect(
      await sendTrips(app, city.admin, {
        region_id: 'birch',
        file_name: 'rides-of-april.csv',
        bytes: formatCsv(cityTrips.slice(120, 200)),
      }),
    ).toMatchObject({ status: 'done', rows_accepted: 80 })
    expect(
      await sendTrips(app, city.stranger, {
        region_id: 'cedar',
        file_name: 'rides-of-april.csv',
        bytes: formatCsv(cityTrips.slice(120, 200)),
      }),
    ).toMatchObject({ status: 'needs_mapping' })
  })

  it('can be canceled while it waits, which deletes the file', async () => {
    const other = await sendTrips(app, city.admin, {
      region_id: 'alder',
      file_name: 'else.csv',
      bytes: 'when,lng,lat\n2026-01-01 10:00,-72.5,41.5\n',
    })
    const before = listStoredFiles().length
    expect(await call(app, city.admin, deleteImport, { params: other })).toEqual({
      deleted_trips: 0,
      deleted_rows: 0,
    })
    expect(listStoredFiles()).toHaveLength(before - 1)
  })
})

describe('an import with missing information', () => {
  const header =
    'ride,company,kind,began,finished,from_lng,from_lat,to_lng,to_lat,meters,seconds,birth_year,gender'
  const rides = (name: string, ...rows: string[]): string =>
    [header, ...rows.map((row, index) => `${name}-${index},${row}`)].join('\n')
  const place = '-72.5,41.49,-72.51,41.5,1000,,,'
  const listDays = async (tripImport: Import) =>
    (
      await app.facts.rows<{ day: string }>(
        systemScope,
        sql`select local_date as day from ${facts('trips')} where import_id = ${bind('UUID', tripImport.import_uuid)} order by line`,
      )
    ).map(({ day }) => day)

  it('waits for the order of dates, unless one date of the file settles it', async () => {
    const settled = await sendTrips(app, city.admin, {
      region_id: 'alder',
      file_name: 'settled.csv',
      bytes: rides(
        'a',
        `x,bicycle,03/04/2026 10:00,03/04/2026 10:20,${place}`,
        `x,bicycle,31/04/2026 10:00,,${place}`,
        `x,bicycle,30/04/2026 10:00,30/04/2026 10:20,${place}`,
      ),
      mapping: tripMapping,
    })
    expect(settled).toMatchObject({ status: 'done', rows_accepted: 2, reasons: { bad_start_time: 1 } })
    expect(await listDays(settled)).toEqual(['2026-04-03', '2026-04-30'])
    const text = rides('b', `x,bicycle,03/04/2026 10:00,03/04/2026 10:20,${place}`)
    const open = await call(app, city.admin, uploadTrips, {
      params: { region_id: 'alder' },
      query: { file_name: 'open.csv' },
      body: Buffer.from(text),
    })
    expect(open).toMatchObject({
      status: 'needs_mapping',
      asks: ['date_order'],
      notes: [expect.stringContaining("'began' can be read in more than one order, as 03/04/2026")],
    })
    expect(await call(app, city.admin, previewImport, { params: open, body: {} })).toMatchObject({
      date_orders: ['mdy', 'dmy'],
      mapping: { date_order: null },
      problems: [expect.stringContaining('Choose the order of dates')],
    })
    expect(readProblem(await send(app, city.admin, startImport, { params: open, body: {} }))).toMatchObject({
      status: 422,
      detail: expect.stringContaining('Choose the order of dates'),
    })
    await call(app, city.admin, startImport, { params: open, body: { date_order: 'dmy' } })
    expect(await listDays(await waitForImport(app, city.admin, open))).toEqual(['2026-04-03'])
    // The choice is for that file only: the next one with the same header waits again, or has it in the request.
    const next = rides('c', `x,bicycle,03/04/2026 10:00,03/04/2026 10:20,${place}`)
    expect(await upload(next, 'next.csv')).toMatchObject({ statusCode: 200 })
    const sent = await call(app, city.admin, uploadTrips, {
      params: { region_id: 'alder' },
      query: { file_name: 'next.csv', date_order: 'mdy' },
      body: Buffer.from(next),
    })
    expect(await listDays(await waitForImport(app, city.admin, sent))).toEqual(['2026-03-04'])
    expect((await readImports('alder')).filter(({ file_name }) => file_name === 'next.csv')).toHaveLength(1)
  })

  it('waits for a confirmation of rows that are mostly outside the region', async () => {
    const far = 'x,bicycle,2026-04-03 10:00,,41.49,-72.5,,,1000,,,'
    const text = rides('far', far, far, `x,bicycle,2026-04-03 10:00,,${place}`)
    const waiting = await call(app, city.admin, uploadTrips, {
      params: { region_id: 'alder' },
      query: { file_name: 'far.csv' },
      body: Buffer.from(text),
    })
    expect(waiting).toMatchObject({
      status: 'needs_mapping',
      asks: ['outside_region'],
      notes: [
        expect.stringMatching(
          /^2 of 3 rows lie outside the region: more than 60 km from the center of Alder.* 2 of them lie in it if/,
        ),
      ],
    })
    expect((await call(app, city.admin, previewImport, { params: waiting, body: {} })).problems).toEqual(
      waiting.notes,
    )
    const refused = readProblem(await send(app, city.admin, startImport, { params: waiting, body: {} }))
    expect(refused).toMatchObject({ status: 409, current: { places: { rows: 3, outside: 2, swapped: 2 } } })
    await call(app, city.admin, startImport, { params: waiting, body: { accept_outside: true } })
    expect(await waitForImport(app, city.admin, waiting)).toMatchObject({
      status: 'done',
      asks: [],
      notes: [],
      rows_accepted: 3,
      flags: { origin_outside_region: 2 },
    })
  })

  it('is not delayed by later rows outside the region, which are counted', async () => {
    const rows = (count: number, lon: number, lat: number) =>
      Array.from({ length: count }, (_, index) => `2026-04-05 10:00,${lon + index / 1e6},${lat}`)
    const text = ['when,x,y', ...rows(600, -72.5, 41.49), ...rows(900, 10, 50)].join('\n')
    const waiting = await call(app, city.admin, uploadTrips, {
      params: { region_id: 'alder' },
      query: { file_name: 'later.csv' },
      body: Buffer.from(text),
    })
    const mapping = { ...tripMapping, columns: { start_time: 'when', start_lon: 'x', start_lat: 'y' } }
    expect(await call(app, city.admin, startImport, { params: waiting, body: { mapping } })).toMatchObject({
      status: 'queued',
      asks: [],
    })
    const tripImport = await waitForImport(app, city.admin, waiting)
    expect(tripImport).toMatchObject({
      status: 'needs_mapping',
      asks: ['outside_region'],
      rows_read: 0,
      notes: [expect.stringMatching(/^900 of 1,500 rows lie outside/)],
      finished_time: null,
    })
    expect(
      readProblem(await send(app, city.admin, startImport, { params: waiting, body: {} })),
    ).toMatchObject({ status: 409, current: { places: { rows: 1500, outside: 900 } } })
    // With other columns the request checks the first rows.
    const swapped = { ...mapping, columns: { start_time: 'when', start_lon: 'y', start_lat: 'x' } }
    expect(
      readProblem(await send(app, city.admin, startImport, { params: waiting, body: { mapping: swapped } })),
    ).toMatchObject({
      status: 409,
      detail: expect.stringMatching(/^500 of 500 first rows lie outside.*change places/),
    })
    await call(app, city.admin, startImport, { params: waiting, body: { accept_outside: true } })
    expect(await waitForImport(app, city.admin, waiting)).toMatchObject({
      status: 'done',
      asks: [],
      notes: [],
      rows_accepted: 1500,
      flags: { origin_outside_region: 900 },
    })
  })

  describe('for trips without coordinates', () => {
    const header =
      'Trip id,Starttime,Stoptime,Bikeid,Tripduration,From station id,From station name,To station id,To station name,Usertype,Rider name'
    const trip = (id: string, from: string, to: string): string =>
      `${id},7/13/2026 10:00,7/13/2026 10:20,b-1,1200,${from},,${to},,Customer,Ada Lovelace`
    const file = (name: string): string =>
      [
        header,
        trip(`${name}-1`, '1000', '1001'),
        trip(`${name}-2`, '1001.0', ''),
        trip(`${name}-3`, '1000', '1777'),
      ].join('\n')
    const stations =
      'Station #,Station Name,Latitude,Longitude\n1000,Liberty,41.49,-72.5\n1001,Penn,41.5,-72.51\n1002,Nowhere,,\n'
    const upload = (name: string) =>
      call(app, city.admin, uploadTrips, {
        params: { region_id: 'alder' },
        query: { file_name: `${name}.csv` },
        body: Buffer.from(file(name)),
      })
    const sendStationsFile = (waiting: Import, text: string) =>
      send(app, city.admin, sendStations, {
        params: waiting,
        query: { file_name: 'stations.csv' },
        body: Buffer.from(text),
      })

    it('waits for the stations file, and sets rows with unknown stations aside', async () => {
      const waiting = await upload('ride')
      expect(waiting).toMatchObject({ status: 'needs_mapping', asks: ['stations'], layout: 'station-trips' })
      expect(await call(app, city.admin, previewImport, { params: waiting, body: {} })).toMatchObject({
        asks: ['stations'],
        stations: null,
      })
      expect(
        readProblem(await send(app, city.admin, startImport, { params: waiting, body: {} })),
      ).toMatchObject({ status: 422, detail: expect.stringContaining('Send the stations file') })
      expect(readProblem(await sendStationsFile(waiting, 'id,name\n1000,Liberty\n'))).toMatchObject({
        status: 422,
        detail: expect.stringContaining('latitude and longitude'),
      })
      expect((await sendStationsFile(waiting, stations)).json()).toMatchObject({ stations: 2, skipped: 1 })
      const shown = await call(app, city.admin, previewImport, { params: waiting, body: {} })
      expect(shown).toMatchObject({ asks: [], stations: { file_name: 'stations.csv', stations: 2 } })
      expect(shown.read[0]).toMatchObject({ trip: { start_lon: -72.5, end_lat: 41.5 }, flags: [] })
      await call(app, city.admin, startImport, { params: waiting, body: {} })
      expect(await waitForImport(app, city.admin, waiting)).toMatchObject({
        status: 'done',
        rows_accepted: 2,
        reasons: { unknown_station: 1 },
        flags: { no_destination: 1 },
      })
      const aside = Buffer.from(await call(app, city.admin, downloadSetAside, { params: waiting })).toString()
      expect(aside).toContain('The station is not in the stations file,To station id: 1777')
      expect(aside).not.toContain('Ada')
      await expect.poll(() => listStoredFiles().filter((name) => name.includes('.stations'))).toEqual([])
      expect(readProblem(await sendStationsFile(waiting, stations)).status).toBe(409)
    })

    it('an import with missing information for trips without coordinates uses stations in the zip of the trips, and reports it', async () => {
      const zip = (name: string, list: string) =>
        call(app, city.admin, uploadTrips, {
          params: { region_id: 'alder' },
          query: { file_name: `${name}.zip` },
          body: zipSync({ 'Stations.csv': Buffer.from(list), 'rides.csv': Buffer.from(file(name)) }),
        })
      const sent = await zip('zipped', stations)
      expect(sent).toMatchObject({ status: 'queued', asks: [], layout: 'station-trips' })
      expect(await waitForImport(app, city.admin, sent)).toMatchObject({
        status: 'done',
        rows_accepted: 2,
        reasons: { unknown_station: 1 },
        notes: ['Read from the zip archive: rides.csv. Places of stations from: Stations.csv.'],
      })
      await expect.poll(() => listStoredFiles().filter((name) => name.includes('.stations'))).toEqual([])
      const far = await zip('elsewhere', stations.replaceAll('-72.5', '-102.5'))
      expect(far).toMatchObject({ status: 'needs_mapping', asks: ['outside_region'] })
      expect(await call(app, city.admin, previewImport, { params: far, body: {} })).toMatchObject({
        asks: ['outside_region'],
        stations: { file_name: 'Stations.csv', stations: 2 },
      })
      await call(app, city.admin, deleteImport, { params: far })
      expect(listStoredFiles().filter((name) => name.endsWith('.stations'))).toEqual([])
    })

    it('waits for a confirmation of stations outside the region, and removes them if canceled', async () => {
      const waiting = await upload('far')
      await sendStationsFile(waiting, stations.replaceAll('-72.5', '-102.5'))
      expect(
        readProblem(await send(app, city.admin, startImport, { params: waiting, body: {} })),
      ).toMatchObject({
        status: 409,
        detail: expect.stringContaining('2 of 2 stations lie outside the region'),
      })
      expect(listStoredFiles().filter((name) => name.endsWith('.stations'))).toHaveLength(1)
      await call(app, city.admin, deleteImport, { params: waiting })
      expect(listStoredFiles().filter((name) => name.endsWith('.stations'))).toEqual([])
    })

    it('accepts stations from administrators of the region only', async () => {
      const waiting = await upload('else')
      const as = (user: typeof city.viewer) =>
        send(app, user, sendStations, {
          params: waiting,
          query: { file_name: 'stations.csv' },
          body: Buffer.from(stations),
        })
      expect([
        readProblem(await as(city.viewer)).status,
        readProblem(await as(city.stranger)).status,
      ]).toEqual([403, 404])
      await call(app, city.admin, deleteImport, { params: waiting })
    })
  })

  it('sets rows with invalid coordinates aside, and rejects a mapping that affects all rows', async () => {
    const waiting = await sendTrips(app, city.admin, {
      region_id: 'alder',
      file_name: 'stations.csv',
      bytes: 'from_station,when,a,b\n1016,2026-04-03 10:00,-72.5,41.49\n1017,2026-04-03 11:00,-72.5,141.49\n',
    })
    const mapping = (lon: string, lat: string) => ({
      ...tripMapping,
      columns: { start_time: 'when', start_lon: lon, start_lat: lat },
    })
    expect(
      readProblem(
        await send(app, city.admin, startImport, {
          params: waiting,
          body: { mapping: mapping('from_station', 'from_station') },
        }),
      ),
    ).toMatchObject({ status: 422, detail: expect.stringContaining('is out of range (from_station: 1016)') })
    expect(
      (await call(app, city.admin, previewImport, { params: waiting, body: { mapping: mapping('a', 'b') } }))
        .problems,
    ).toEqual([
      '1 of the first 2 rows cannot be read with this mapping. Line 3: Longitude or latitude is out of range (b: 141.49).',
    ])
    await call(app, city.admin, startImport, { params: waiting, body: { mapping: mapping('a', 'b') } })
    expect(await waitForImport(app, city.admin, waiting)).toMatchObject({
      rows_accepted: 1,
      reasons: { outside_earth: 1 },
    })
  })
})

describe('a zip archive', () => {
  const makeZip = (entries: Record<string, string>) =>
    zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, Buffer.from(text)])))
  const rides = (from: number, to: number) =>
    lyftFile.text
      .split('\n')
      .flatMap((line, index) =>
        index === 0 || (index >= from && index < to) ? [line.replaceAll('0A1B', '0A5B')] : [],
      )
      .join('\n')

  it('is one import if its tables have the same columns, and says what was read', async () => {
    const whole = makeZip({
      'data/b.csv': rides(2, 99),
      'data/a.csv': rides(1, 2),
      'README.txt': 'hello',
      '__MACOSX/data/._a.csv': 'x',
    })
    const sent = await call(app, city.admin, uploadTrips, {
      params: { region_id: 'alder' },
      query: { file_name: '2026-divvy-tripdata.zip' },
      body: whole,
    })
    const tripImport = await waitForImport(app, city.admin, sent)
    expect(tripImport).toMatchObject({
      status: 'done',
      layout: 'lyft',
      notes: [
        'Read from the zip archive: data/a.csv (from line 2), data/b.csv (from line 3). Ignored: README.txt, __MACOSX/data/._a.csv.',
      ],
    })
    expect(tripImport.rows_accepted).toBeGreaterThan(1)
    expect(
      await call(app, city.admin, uploadTrips, {
        params: { region_id: 'alder' },
        query: { file_name: 'again.zip' },
        body: makeZip({ 'x.csv': rides(1, 2), 'y.csv': rides(2, 99) }),
      }),
    ).toMatchObject({ same_as: tripImport.import_uuid })
  })

  it('is rejected if it contains vehicle lists of different moments', async () => {
    const list =
      'Company,Vehicle_ID,Type,Latitude,Longitude,Battery_Pct,Is_Available\nVeo,v-1,scooter,41.5,-72.5,80,true\n'
    const problem = readProblem(
      await upload(makeZip({ 'a_20260226T183158Z.csv': list, 'b_20260227T183158Z.csv': list }), 'fleet.zip'),
    )
    expect(problem).toMatchObject({
      status: 422,
      detail:
        'The zip archive contains 2 lists of vehicles without times of their own. Send them one by one.',
    })
    // A single list with its time in the file name is accepted.
    const single = await call(app, city.admin, uploadTrips, {
      params: { region_id: 'alder' },
      query: { file_name: 'fleet.zip' },
      body: makeZip({ 'a_20260226T183158Z.csv': list }),
    })
    expect(await waitForImport(app, city.admin, single)).toMatchObject({
      kind: 'snapshot',
      status: 'done',
      rows_accepted: 1,
    })
  })
})

test('a preview is small, however wide the file and long its fields', async () => {
  const header = Array.from({ length: 500 }, (_, index) => `column number ${index}`).join(',')
  const row = Array.from({ length: 500 }, () => 'x'.repeat(1500)).join(',')
  const waiting = await call(app, city.admin, uploadTrips, {
    params: { region_id: 'alder' },
    query: { file_name: 'wide.csv' },
    body: gzipSync([header, ...Array.from({ length: 30 }, () => row)].join('\n')),
  })
  const shown = await call(app, city.admin, previewImport, { params: waiting, body: {} })
  expect([shown.rows.length, shown.read.length, shown.rows[0]?.[0]?.length]).toEqual([8, 8, 80])
  expect(JSON.stringify(shown).length).toBeLessThan(400_000)
  await call(app, city.admin, deleteImport, { params: waiting })
})

test('an operator in the request applies to rows without one', async () => {
  const text = lyftFile.text.replaceAll('0A1B', '0A2B')
  const sent = await call(app, city.admin, uploadTrips, {
    params: { region_id: 'alder' },
    query: { file_name: 'tripdata.csv', operator: 'river-cycles', vehicle_type: 'scooter' },
    body: Buffer.from(text),
  })
  await waitForImport(app, city.admin, sent)
  const rows = await app.facts.rows<{ operator: string; vehicle_type: string }>(
    systemScope,
    sql`select operator, vehicle_type from ${facts('trips')} where import_id = ${bind('UUID', sent.import_uuid)} order by line`,
  )
  expect(rows.map(({ operator }) => operator)).toEqual(['river-cycles', 'river-cycles', 'river-cycles'])
  expect(rows.map(({ vehicle_type }) => vehicle_type)).toEqual(['bicycle', 'pedal_bicycle', 'scooter'])
  for (const operator of ["x'); drop table trips --", 'Ünï', '', 'A b', 'x'.repeat(61)])
    expect(
      readProblem(
        await send(app, city.admin, uploadTrips, {
          params: { region_id: 'alder' },
          query: { file_name: 'x.csv', operator },
          body: Buffer.from(text.replaceAll('0A2B', '0A3B')),
        }),
      ).issues?.[0]?.path,
    ).toBe('query.operator')
})

describe('local time of trips', () => {
  const header =
    'ride,company,kind,began,finished,from_lng,from_lat,to_lng,to_lat,meters,seconds,birth_year,gender\n'
  const row = (id: string, began: string, finished: string): string =>
    `${id},dst,bicycle,${began},${finished},-72.5,41.49,-72.51,41.5,1000,,,\n`
  const times = async (region_id: string, text: string, as = city.admin) => {
    const tripImport = await sendTrips(app, as, {
      region_id,
      file_name: `dst-${region_id}.csv`,
      bytes: header + text,
      mapping: tripMapping,
    })
    const rows = await app.facts.rows<{
      start: string
      end: string
      local_date: string
      local_hour: number
      duration_s: number
    }>(
      systemScope,
      sql`select toString(start_time) as start, toString(end_time) as end, local_date, local_hour, duration_s from ${facts('trips')} where import_id = ${bind('UUID', tripImport.import_uuid)} order by line`,
    )
    return {
      tripImport,
      rows: rows.map(
        ({ start, end, local_date, local_hour, duration_s }) =>
          `${start.slice(5, 16)} ${end.slice(5, 16)} ${local_date.slice(5)} ${local_hour}h ${duration_s}`,
      ),
    }
  }

  it('is correct on days of clock changes in New York (8 March and 1 November 2026)', async () => {
    const { tripImport, rows } = await times(
      'alder',
      [
        row('a', '2026-03-08 01:50:00', '2026-03-08 03:10:00'),
        row('b', '2026-03-08 02:30:00', '2026-03-08 03:40:00'),
        row('c', '2026-11-01 00:50:00', '2026-11-01 01:10:00'),
        row('d', '2026-11-01 01:50:00', '2026-11-01 01:10:00'),
        row('e', '2026-11-01 01:50:00', '2026-11-01 02:05:00'),
        row('f', '2026-03-08T06:59:00Z', '2026-03-08T07:01:00Z'),
        row('g', '2026-11-01T06:30:00Z', '2026-11-01T06:40:00+00:00'),
      ].join(''),
    )
    expect(rows).toEqual([
      '03-08 06:50 03-08 07:10 03-08 1h 1200',
      // 02:30 does not exist on that day: it becomes 03:30 with a flag.
      '03-08 07:30 03-08 07:40 03-08 3h 600',
      '11-01 04:50 11-01 05:10 11-01 0h 1200',
      // 01:10 after 01:50 is in the repeated hour.
      '11-01 05:50 11-01 06:10 11-01 1h 1200',
      '11-01 05:50 11-01 07:05 11-01 1h 4500',
      '03-08 06:59 03-08 07:01 03-08 1h 120',
      '11-01 06:30 11-01 06:40 11-01 1h 600',
    ])
    expect(tripImport.flags).toEqual({ skipped_hour: 1 })
  })

  it('is correct on Lord Howe Island, where the clock moves by half an hour (4 October and 5 April 2026)', async () => {
    const { tripImport, rows } = await times(
      'cedar',
      [
        row('a', '2026-10-04 01:50:00', '2026-10-04 02:40:00'),
        row('b', '2026-10-04 02:10:00', '2026-10-04 02:50:00'),
        row('c', '2026-04-05 01:45:00', '2026-04-05 01:35:00'),
      ].join(''),
      city.stranger,
    )
    expect(rows).toEqual([
      '10-03 15:20 10-03 15:40 10-04 1h 1200',
      '10-03 15:40 10-03 15:50 10-04 2h 600',
      '04-04 14:45 04-04 15:05 04-05 1h 1200',
    ])
    expect(tripImport.flags).toMatchObject({ skipped_hour: 1 })
  })

  it('determines year and day, not UTC', async () => {
    const { rows } = await times(
      'birch',
      [
        row('a', '2026-12-31 23:59:00', '2027-01-01 00:10:00'),
        row('b', '2026-12-31T03:00:00Z', '2026-12-31T03:40:00Z'),
        row('c', '2026-07-01 24:00', '2026-07-02 00:30'),
      ].join(''),
    )
    expect(rows).toEqual([
      '01-01 03:29 01-01 03:40 12-31 23h 660',
      '12-31 03:00 12-31 03:40 12-30 23h 2400',
      '07-02 02:30 07-02 03:00 07-02 0h 1800',
    ])
  })
})

test('set-aside rows of many chunks are in one file', async () => {
  const bad = Array.from(
    { length: 45_000 },
    (_, index) => `r${index},x,bicycle,never,,-72.5,41.5,,,,,,\n`,
  ).join('')
  const tripImport = await sendTrips(app, city.admin, {
    region_id: 'birch',
    file_name: 'bad.csv',
    bytes: `${tripColumns.join(',')}\n${bad}`,
    mapping: tripMapping,
  })
  expect(tripImport).toMatchObject({
    status: 'done',
    rows_read: 45_000,
    rows_rejected: 45_000,
    reasons: { bad_start_time: 45_000 },
  })
  const lines = Buffer.from(await call(app, city.admin, downloadSetAside, { params: tripImport }))
    .toString()
    .trimEnd()
    .split('\r\n')
  expect(lines).toHaveLength(45_001)
  expect(lines.at(-1)).toBe('45001,The start time is not valid,never,r44999,x,bicycle,never,,-72.5,41.5,,,,')
})
