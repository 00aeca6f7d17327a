import fs from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import {
  deleteImport,
  downloadSetAside,
  type Import,
  listImports,
  previewImport,
  startImport,
  uploadTrips,
} from '#contract/imports.ts'
import { systemScope } from '#server/identity/scope.ts'
import { fileReasons } from '#server/table-files/row-reasons.ts'
import { findIssue, listIssues, listIssueTypes } from '#server/issues/list-issues.ts'
import { findLastSnapshots } from '#server/live/snapshots/last-snapshots.ts'
import { findWeather, listWeather } from '#server/weather/list-weather.ts'
import { call, openTestApp, readProblem, send, type TestApp } from '../app.ts'
import { waitForImport, makeRegions, type TestCity } from '../city.ts'

let app: TestApp
let city: TestCity
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
})
afterAll(() => app.close())

const upload = (
  file_name: string,
  bytes: Uint8Array | string,
  region_id: string,
  options: { operator?: string; snapshot_time?: string; date_order?: 'mdy' } = {},
) =>
  call(app, city.admin, uploadTrips, {
    params: { region_id },
    query: { file_name, ...options },
    body: Buffer.from(bytes),
  })
async function importFile(
  file_name: string,
  bytes: Uint8Array | string,
  region_id = 'alder',
  options: { operator?: string; snapshot_time?: string; date_order?: 'mdy' } = {},
): Promise<Import> {
  const sent = await upload(file_name, bytes, region_id, options)
  return sent.status === 'needs_mapping'
    ? sent
    : { ...(await waitForImport(app, city.admin, sent)), same_as: sent.same_as }
}
const readSetAside = async (input: Import): Promise<string> =>
  Buffer.from(await call(app, city.admin, downloadSetAside, { params: input })).toString()
const firstPage = { page: 1, size: 50 }

describe('a list of 311 requests', () => {
  const table = [
    'SR Number,SR Type,Status,Created Date,Closed Date,Street Address,Ward,Latitude,Longitude,Reporter Name,Email',
    'SR-1,Scooter in the way,Open,07/01/2026 10:00:00 AM,,1 MAIN ST,3,41.49,-72.5,Ada Lovelace,ada@home.example',
    'SR-2,Scooter in the way,Closed,07/02/2026 11:30:00 PM,07/03/2026 11:30:00 PM,2 MAIN ST,3,41.5,-72.5,,',
    'SR-3,Pothole,Open,yesterday,,3 MAIN ST,3,41.5,-72.5,Grace Hopper,grace@home.example',
    ',Pothole,Open,07/01/2026,,,,,,,',
    '',
    'SR-4,Pothole,Open,07/04/2026',
  ].join('\n')

  it('is recognized, read and counted as CSV; unreadable rows can be downloaded without personal data', async () => {
    const waiting = await importFile('service requests.csv', table)
    expect(waiting).toMatchObject({
      status: 'needs_mapping',
      asks: ['date_order'],
      notes: [expect.stringContaining('07/01/2026')],
    })
    const found = await importFile('service requests.csv', table, 'alder', { date_order: 'mdy' })
    expect(found).toMatchObject({
      kind: 'issues',
      status: 'done',
      layout: 'CSV',
      asks: [],
      rows_read: 5,
      rows_accepted: 2,
      rows_rejected: 3,
      reasons: { bad_requested_time: 1, no_issue_id: 1, column_count: 1 },
      notes: ['2 issues were new or changed.'],
    })
    const { items, total } = await listIssues(app.state, systemScope, 'alder', { ...firstPage })
    expect(total).toBe(2)
    expect(
      items.map(({ id, status, resolution_time, requested_time, districts }) => [
        id,
        status,
        resolution_time,
        requested_time,
        districts,
      ]),
    ).toEqual([
      ['SR-2', 'closed', 24, '2026-07-03T03:30:00.000Z', { ward: '3' }],
      ['SR-1', 'open', null, '2026-07-01T14:00:00.000Z', { ward: '3' }],
    ])
    const rows = await readSetAside(found)
    expect(rows).toContain('4,The request time is not valid,yesterday,SR-3,Pothole')
    expect(rows + JSON.stringify(items)).not.toMatch(/Ada|Grace|home\.example/)
  })

  it('updates only newer records when it is imported later in another format', async () => {
    const closed = JSON.stringify({
      fetched_at: '2026-07-06T00:00:00Z',
      records: [
        {
          service_request_id: 'SR-1',
          service_name: 'Scooter in the way',
          status: 'Closed',
          requested_datetime: '2026-07-01T14:00:00Z',
          closed_date: '2026-07-02T20:00:00Z',
          lat: 41.49,
          long: -72.5,
        },
      ],
    })
    expect(await importFile('later.json', closed)).toMatchObject({
      kind: 'issues',
      layout: 'JSON',
      rows_accepted: 1,
      notes: ['1 issues were new or changed.'],
    })
    // The table again in another form, older than what is stored.
    expect(
      await importFile(
        'again.csv',
        `${table}\nSR-1,Scooter in the way,Open,07/01/2026 10:00:00 AM,,1 MAIN ST,3,41.49,-72.5,,`,
        'alder',
        { date_order: 'mdy' },
      ),
    ).toMatchObject({ rows_accepted: 3, notes: ['It contained nothing new.'] })
    const issue = await findIssue(app.state, systemScope, {
      regionId: 'alder',
      issueId: 'SR-1',
      source: undefined,
    })
    expect(issue).toMatchObject({
      status: 'closed',
      source_status: 'Closed',
      resolution_time: 30,
      source: 'files',
      history: [
        { status: 'open', time: '2026-07-01T14:00:00.000Z' },
        { status: 'closed', time: '2026-07-02T20:00:00.000Z' },
      ],
    })
    const geo = {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [-72.51, 41.48] },
          properties: {
            case_id: 'G-1',
            request_type: 'Pothole',
            status: 'Open',
            created_at: 1_783_200_000_000,
          },
        },
      ],
    }
    expect(await importFile('points.geojson', JSON.stringify(geo))).toMatchObject({
      layout: 'GeoJSON',
      rows_accepted: 1,
    })
    expect(
      await findIssue(app.state, systemScope, { regionId: 'alder', issueId: 'G-1', source: 'files' }),
    ).toMatchObject({ lat: 41.48, lon: -72.51, service_code: 'pothole' })
  })

  it('is found by type, status, days and hours to its closing', async () => {
    const listIds = async (filter: object): Promise<string[]> =>
      (await listIssues(app.state, systemScope, 'alder', { ...firstPage, ...filter })).items.map(
        ({ id }) => id,
      )
    expect(await listIds({ service_code: 'pothole' })).toEqual(['G-1'])
    expect(await listIds({ service_code: 'pothole,scooter-in-the-way', status: 'closed' })).toEqual([
      'SR-2',
      'SR-1',
    ])
    // 23:30 on the second, in local time.
    expect(await listIds({ start_date: '2026-07-02', end_date: '2026-07-02' })).toEqual(['SR-2'])
    expect(await listIds({ resolution_time: { over: null, upTo: 24 } })).toEqual(['SR-2'])
    expect(await listIds({ resolution_time: { over: 24, upTo: null } })).toEqual(['SR-1'])
    expect(await listIssueTypes(app.state, systemScope, 'alder')).toEqual([
      { service_code: 'scooter-in-the-way', service_name: 'Scooter in the way', open: 0, closed: 2 },
      { service_code: 'pothole', service_name: 'Pothole', open: 1, closed: 0 },
    ])
    await expect(
      findIssue(app.state, systemScope, { regionId: 'alder', issueId: 'SR-9', source: undefined }),
    ).rejects.toThrow('no such issue')
    expect((await listIssues(app.state, systemScope, 'birch', { ...firstPage })).total).toBe(0)
  })

  it('is removed except for issues of other sources', async () => {
    const { items } = await call(app, city.admin, listImports, { params: { region_id: 'alder' } })
    const findImport = (name: string): Import => items.find(({ file_name }) => file_name === name) as Import
    expect(await call(app, city.admin, deleteImport, { params: findImport('points.geojson') })).toEqual({
      deleted_trips: 0,
      deleted_rows: 1,
    })
    expect(await call(app, city.admin, deleteImport, { params: findImport('service requests.csv') })).toEqual(
      { deleted_trips: 0, deleted_rows: 0 },
    )
    expect(await call(app, city.admin, deleteImport, { params: findImport('again.csv') })).toEqual({
      deleted_trips: 0,
      deleted_rows: 1,
    })
    expect(
      (await listIssues(app.state, systemScope, 'alder', { ...firstPage })).items.map(({ id }) => id),
    ).toEqual(['SR-1'])
  })
})

describe('daily weather', () => {
  const noaa =
    'STATION,NAME,DATE,PRCP,TMAX,TMIN\nUSC1,"ALDER, US",2026-07-01,0.50,86,50\nUSC1,"ALDER, US",2026-07-02,0.00,,\nUSC1,"ALDER, US",2026-02-30,0.00,,\n'
  it('is recognized and stored in millimeters and degrees Celsius', async () => {
    const found = await importFile('alder weather.csv', noaa)
    expect(found).toMatchObject({
      kind: 'weather',
      status: 'done',
      layout: 'NOAA daily',
      rows_read: 3,
      rows_accepted: 2,
      rows_rejected: 1,
      reasons: { bad_day: 1 },
    })
    expect(await findWeather(app.state, systemScope, 'alder', '2026-07-01')).toMatchObject({
      precipitation_mm: 12.7,
      temperature_max_c: 30,
      temperature_min_c: 10,
      snowfall_mm: null,
      kind: 'measured',
      place: 'ALDER, US',
      source: 'files:USC1',
    })
    expect(await readSetAside(found)).toContain('4,The date is not valid,2026-02-30')
  })

  it('has the best source of each day, and later files fill gaps', async () => {
    expect(await importFile('more.csv', 'STATION,DATE,PRCP,TMAX\nUSC1,2026-07-02,0.10,77\n')).toMatchObject({
      notes: ['1 days were new or changed.'],
    })
    expect(
      await importFile(
        'by-station.csv',
        'USW00024229,20260702,PRCP,0,,,W,\nUSW00024229,20260703,PRCP,5,,,W,\n',
      ),
    ).toMatchObject({ kind: 'weather', layout: 'GHCN-Daily by station', rows_accepted: 2 })
    expect(
      (
        await listWeather(app.state, systemScope, 'alder', {
          start_date: '2026-07-02',
          end_date: '2026-07-09',
        })
      ).map(({ day, precipitation_mm, temperature_max_c, source }) => [
        day,
        precipitation_mm,
        temperature_max_c,
        source,
      ]),
    ).toEqual([
      ['2026-07-02', 2.54, 25, 'files:USC1'],
      ['2026-07-03', 0.5, null, 'files:USW00024229'],
    ])
    await expect(findWeather(app.state, systemScope, 'alder', '2026-07-04')).rejects.toThrow('not known')
    expect(await importFile('the same.csv', `${noaa}\n`)).toMatchObject({
      notes: ['1 days were new or changed.'],
    })
  })

  it('is removed except for days of other sources', async () => {
    const { items } = await call(app, city.admin, listImports, { params: { region_id: 'alder' } })
    const station = items.find(({ file_name }) => file_name === 'by-station.csv') as Import
    expect(await call(app, city.admin, deleteImport, { params: station })).toMatchObject({ deleted_rows: 2 })
    expect(await listWeather(app.state, systemScope, 'alder', { start_date: '2026-07-03' })).toEqual([])
  })
})

describe('a vehicle snapshot', () => {
  const header =
    'Company,Vehicle_ID,Type,Latitude,Longitude,Battery_Pct,Range_Miles,Is_Available,Is_Disabled,Is_Reserved,Last_Reported'
  const rows = [
    'Veo,1020986,bicycle,41.49,-72.5,,28.14,True,False,False,0',
    'Spin,a,e-bike,41.5,-72.5,89.0,10,False,True,False,1786179042',
    'Spin,a,e-bike,41.5,-72.5,89.0,10,False,True,False,1786179042',
    'Spin,b,,41.5,,,,,,,',
    'Spin,c,scooter,north,-72.5,,,,,,',
    'Spin,d,,41.5,-72.6,,,,,,',
  ]

  it('takes the time from its file name, and the operator from a column', async () => {
    const found = await importFile(
      'alder_scooters_20260808T085125Z.csv.gz',
      gzipSync(Buffer.from([header, ...rows].join('\r\n'))),
    )
    expect(found).toMatchObject({
      kind: 'snapshot',
      status: 'done',
      layout: 'CSV',
      rows_read: 6,
      rows_accepted: 3,
      rows_rejected: 3,
      reasons: { duplicate_vehicle: 1, no_place: 1, bad_coordinate: 1 },
    })
    const [spin, veo] = await findLastSnapshots(app.facts, systemScope, 'alder')
    expect(veo).toMatchObject({
      operator: 'veo',
      at: Date.UTC(2026, 7, 8, 8, 51, 25),
      stations: [],
      vehicles: [
        {
          vehicleId: '1020986',
          vehicleType: 'bicycle',
          lon: -72.5,
          lat: 41.49,
          battery: Number.NaN,
          isReserved: false,
          isDisabled: false,
          lastReported: Number.NaN,
        },
      ],
    })
    expect(veo?.vehicles[0]?.range).toBeCloseTo(28.14 * 1609.344, 0)
    expect(spin?.vehicles).toMatchObject([
      {
        vehicleId: 'a',
        vehicleType: 'bicycle',
        battery: 89,
        isDisabled: true,
        lastReported: 1_786_179_042_000,
      },
      { vehicleId: 'd', vehicleType: 'other', isDisabled: false, battery: Number.NaN },
    ])
    expect(await readSetAside(found)).toContain(
      'The same vehicle is on an earlier line of this file,a,Spin,a,e-bike',
    )
  })

  it('is read as far as possible with fewer columns', async () => {
    expect(
      await importFile(
        's_20260809T000000Z.csv',
        'Company,Vehicle_ID,Type,Latitude,Longitude,Battery_Pct,Range_Miles,Is_Available\nSpin,z,scooter,41.5,-72.5,50,5,False\n',
      ),
    ).toMatchObject({ rows_accepted: 1 })
    const found = await findLastSnapshots(app.facts, systemScope, 'alder')
    // The newest file of each operator; not available, for an unknown reason.
    expect(
      found.map(({ operator, at, vehicles }) => [
        operator,
        new Date(at).toISOString(),
        vehicles.map(({ vehicleId, isDisabled }) => [vehicleId, isDisabled]),
      ]),
    ).toEqual([
      ['spin', '2026-08-09T00:00:00.000Z', [['z', true]]],
      ['veo', '2026-08-08T08:51:25.000Z', [['1020986', false]]],
    ])
  })

  it('waits until missing values are entered', async () => {
    const plain = 'bike_id,lat,lon,is_disabled\nx,47.56,-52.71,0\n'
    const waiting = await importFile('fleet.csv', plain, 'birch')
    expect(waiting).toMatchObject({
      kind: 'snapshot',
      status: 'needs_mapping',
      asks: ['snapshot_time', 'operator'],
      rows_read: 0,
    })
    const start = (body: { snapshot_time?: string; operator?: string }) =>
      send(app, city.admin, startImport, { params: waiting, body })
    expect(readProblem(await start({}))).toMatchObject({
      status: 422,
      detail: 'Missing: the time of the snapshot, the operator of the vehicles.',
    })
    expect(readProblem(await start({ operator: 'spin' }))).toMatchObject({
      status: 422,
      detail: 'Missing: the time of the snapshot.',
    })
    expect(
      readProblem(await send(app, city.admin, previewImport, { params: waiting, body: {} })).status,
    ).toBe(409)
    expect((await start({ operator: 'bird', snapshot_time: '2026-05-01T12:00:00-02:30' })).statusCode).toBe(
      200,
    )
    expect(await waitForImport(app, city.admin, waiting)).toMatchObject({
      status: 'done',
      asks: [],
      rows_accepted: 1,
    })
    expect(await findLastSnapshots(app.facts, systemScope, 'birch')).toMatchObject([
      { operator: 'bird', at: Date.UTC(2026, 4, 1, 14, 30), vehicles: [{ vehicleId: 'x' }] },
    ])
    // With the values in the request nothing is missing; the same vehicles at another time are another snapshot.
    expect(
      await importFile('fleet.csv', plain, 'birch', {
        operator: 'bird',
        snapshot_time: '2026-05-02T12:00:00Z',
      }),
    ).toMatchObject({ status: 'done', same_as: null, rows_accepted: 1 })
    expect(
      (
        await importFile('fleet.csv', plain, 'birch', {
          operator: 'bird',
          snapshot_time: '2026-05-02T12:00:00Z',
        })
      ).same_as,
    ).not.toBeNull()
  })

  it('comes from a GBFS file or a table with its own times', async () => {
    const gbfs = JSON.stringify({
      last_updated: 1_785_500_000,
      ttl: 0,
      version: '2.3',
      data: {
        bikes: [
          { bike_id: 'g1', lat: 47.56, lon: -52.7, is_reserved: false, is_disabled: false },
          { bike_id: 'g2', is_reserved: false, is_disabled: false },
        ],
      },
    })
    expect(await importFile('free_bike_status.json', gbfs, 'birch', { operator: 'nextbike' })).toMatchObject({
      layout: 'GBFS',
      rows_read: 2,
      rows_accepted: 1,
      rows_rejected: 1,
    })
    expect(
      await importFile(
        'times.csv',
        'operator,vehicle_id,lat,lon,battery,timestamp\nlime,1,47.5,-52.7,50,2026-05-03T10:00:00Z\nlime,1,47.6,-52.7,40,2026-05-03T11:00:00Z\nlime,2,47.6,-52.7,400,2026-05-03T11:00:00Z\n',
        'birch',
      ),
    ).toMatchObject({ rows_accepted: 2, reasons: { impossible_figure: 1 } })
    expect(
      (await findLastSnapshots(app.facts, systemScope, 'birch')).map(({ operator, at, vehicles }) => [
        operator,
        at,
        vehicles.map(({ lat }) => lat),
      ]),
    ).toEqual([
      ['bird', Date.UTC(2026, 4, 2, 12), [47.56]],
      ['lime', Date.UTC(2026, 4, 3, 11), [47.6]],
      ['nextbike', 1_785_500_000_000, [47.56]],
    ])
  })

  it('can be removed', async () => {
    const { items } = await call(app, city.admin, listImports, { params: { region_id: 'birch' } })
    for (const item of items)
      expect(await call(app, city.admin, deleteImport, { params: item })).toMatchObject({
        deleted_rows: item.rows_accepted,
      })
    expect(await findLastSnapshots(app.facts, systemScope, 'birch')).toEqual([])
  })
})

test('other or damaged JSON is rejected with one sentence', async () => {
  for (const [text, message] of [
    ['{"trips":[{"id":1,"a":2,"b":3}]}', /neither a list of 311 requests/],
    ['{"records":[{"a":1},', /cut off or damaged/],
    [
      JSON.stringify({
        type: 'FeatureCollection',
        features: [{ type: 'Feature', geometry: null, properties: { name: 'x' } }],
      }),
      /neither/,
    ],
  ] as const)
    expect(
      readProblem(
        await send(app, city.admin, uploadTrips, {
          params: { region_id: 'alder' },
          query: { file_name: 'x.json' },
          body: Buffer.from(text),
        }),
      ),
    ).toMatchObject({ status: 422, detail: expect.stringMatching(message) })
})

test('every reason has a text on the screen', () => {
  const { reason } = JSON.parse(fs.readFileSync('web/imports/imports.en.json', 'utf8')) as {
    reason: Record<string, string>
  }
  expect(Object.entries(fileReasons).filter(([name, text]) => reason[name] !== text)).toEqual([])
})
