import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { getGbfs } from '#contract/gbfs.ts'
import { listLayers, listShapes } from '#contract/geography.ts'
import { getIssue, listIssues, listIssueTypes } from '#contract/issues.ts'
import { listOperators } from '#contract/operators.ts'
import { minuteMs } from '#contract/period.ts'
import { getWeather, listWeather } from '#contract/weather.ts'
import { restoreSnapshots } from '#server/feeds/restore-snapshots.ts'
import { systemScope } from '#server/identity/scope.ts'
import { gbfs } from '#server/feeds/adapters/gbfs.ts'
import { openThreeOneOne } from '#server/feeds/adapters/open311.ts'
import { weatherOpenMeteo } from '#server/feeds/adapters/weather-open-meteo.ts'
import { GbfsSink } from '#server/feeds/sinks/gbfs-sink.ts'
import { storeOpen311 } from '#server/feeds/sinks/store-open311.ts'
import { storeWeatherDays } from '#server/feeds/sinks/store-weather-feed.ts'
import type { SinkFeed } from '#server/feeds/sinks/sink-feed.ts'
import { findLastSnapshots } from '#server/live/snapshots/last-snapshots.ts'
import type { LiveSnapshot } from '#server/live/live-snapshot.ts'
import { openSecretBox } from '#server/stores/secret-box.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import { insertFeed } from '../store-region.ts'
import { call, type CallInput, openTestApp, readProblem, send, type SignedIn, type TestApp } from '../app.ts'
import { makeRegions, type TestCity } from '../city.ts'

let app: TestApp
let city: TestCity
const snapshots: LiveSnapshot[] = []
const openSink = (): GbfsSink =>
  new GbfsSink({
    state: app.state,
    facts: app.facts,
    log: () => undefined,
    onSnapshot: (snapshot) => snapshots.push(snapshot),
  })
let sink: GbfsSink

beforeAll(async () => {
  app = await openTestApp(undefined, { PUBLIC_URL: 'https://streets.example' })
  city = await makeRegions(app)
  sink = openSink()
})
afterAll(() => app.close())

const sendAs = <E extends Endpoint>(as: SignedIn, endpoint: E, input: CallInput<E>) =>
  send(app, as, endpoint, input)

async function addFeed(operator: string | null, kind: string): Promise<SinkFeed> {
  const feedId = await insertFeed(app.state, {
    region_id: 'alder',
    operator,
    kind,
    version: '3.0',
    name: kind,
    url: 'https://feeds.example/gbfs.json',
    enabled: false,
    settings: JSON.stringify({ language: 'en' }),
  })
  return readFeed(feedId)
}
/** Reads the feed as stored, with discovered settings. */
async function readFeed(feedId: string): Promise<SinkFeed> {
  const row = await app.state
    .as(systemScope)
    .selectFrom('feed')
    .selectAll()
    .where('feed_id', '=', feedId)
    .executeTakeFirstOrThrow()
  return {
    feedId,
    organizationId: city.organizations.alder,
    regionId: 'alder',
    operator: row.operator ?? '',
    providerId: '',
    version: row.version,
    url: row.url ?? '',
    settings: row.settings,
    timezone: 'America/New_York',
    lat: 41.49,
    lon: -72.5,
  }
}

const start = Date.UTC(2026, 7, 1, 12)
const makeFile = (at: number, data: unknown) => ({
  last_updated: new Date(at).toISOString(),
  ttl: 60,
  version: '3.0',
  data,
})
async function storeFile(
  feed: SinkFeed,
  stream: string,
  at: number,
  data: unknown,
  received = at,
): Promise<number> {
  const { other } = gbfs.read(
    await readFeed(feed.feedId),
    stream,
    Buffer.from(JSON.stringify(makeFile(at, data))),
    received,
  )
  return sink.store(await readFeed(feed.feedId), other, received)
}
const makeVehicles = (count: number, lat = 41.5) => ({
  vehicles: Array.from({ length: count }, (_, n) => ({
    vehicle_id: `v${n}`,
    lat,
    lon: -72.5,
    is_reserved: false,
    is_disabled: n === 1,
    vehicle_type_id: 'e',
  })),
})
const readSnapshotMinutes = async (operator: string): Promise<number[]> =>
  (
    await app.facts.rows<{ at: string }>(
      systemScope,
      sql`select distinct toString(toUnixTimestamp64Milli(snapshot_time)) as at from ${latest('vehicle_snapshots')} where operator = ${bind('String', operator)} order by at`,
    )
  ).map(({ at }) => (Number(at) - start) / minuteMs)

describe('a GBFS feed', () => {
  let feed: SinkFeed
  beforeAll(async () => {
    feed = await addFeed('spin', 'gbfs')
  })

  it('discovers its files once for all requests', async () => {
    const feeds = [
      'vehicle_types',
      'vehicle_status',
      'station_information',
      'station_status',
      'geofencing_zones',
    ].map((name) => ({ name, url: `https://files.example/${name}?key=secret` }))
    await storeFile(feed, 'discovery', start, { feeds })
    const now = await readFeed(feed.feedId)
    expect(now.settings).toMatchObject({
      language: 'en',
      discovered: { vehicle_status: 'https://files.example/vehicle_status?key=secret' },
    })
    expect(
      gbfs
        .streams(now)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['discovery', ...feeds.map(({ name }) => name)].toSorted())
  })

  it('shows its vehicles with types and stations in one step', async () => {
    await storeFile(feed, 'vehicle_status', start, makeVehicles(2))
    // Their types are not known yet, so nothing is stored under a wrong type.
    expect(await readSnapshotMinutes('spin')).toEqual([])
    await storeFile(feed, 'vehicle_types', start, {
      vehicle_types: [{ vehicle_type_id: 'e', form_factor: 'scooter_standing', propulsion_type: 'electric' }],
    })
    await storeFile(feed, 'station_information', start, {
      stations: [{ station_id: 's', name: 'Main', lat: 41.5, lon: -72.5, capacity: 4 }],
    })
    await storeFile(feed, 'station_status', start + minuteMs, {
      stations: [{ station_id: 's', num_vehicles_available: 3, is_renting: true }],
    })
    expect(snapshots.at(-1)).toMatchObject({
      operator: 'spin',
      feedId: feed.feedId,
      at: start + minuteMs,
      vehicles: [{ vehicleId: 'v0', vehicleType: 'scooter_standing' }, { isDisabled: true }],
      stations: [{ stationId: 's', capacity: 4, vehiclesAvailable: 3 }],
    })
  })

  it('is stored at most every 15 minutes, also after a restart and when it is read again', async () => {
    for (const at of [2, 3, 9, 17, 20, 31, 33])
      expect(await storeFile(feed, 'vehicle_status', start + at * minuteMs, makeVehicles(3))).toBe(3)
    expect(await readSnapshotMinutes('spin')).toEqual([2, 17, 33])
    sink = openSink()
    await storeFile(feed, 'vehicle_status', start + 40 * minuteMs, makeVehicles(3))
    await storeFile(feed, 'vehicle_status', start + 9 * minuteMs, makeVehicles(3), start + 9 * minuteMs)
    expect(await readSnapshotMinutes('spin')).toEqual([2, 17, 33])
    await storeFile(feed, 'vehicle_status', start + 50 * minuteMs, makeVehicles(4))
    expect(await readSnapshotMinutes('spin')).toEqual([2, 17, 33, 50])
    const [last] = await findLastSnapshots(app.facts, systemScope, 'alder')
    expect(last).toMatchObject({
      operator: 'spin',
      feedId: feed.feedId,
      at: start + 50 * minuteMs,
      vehicles: { length: 4 },
    })
    const onMap = await call(app, city.viewer, listOperators, {
      query: { region_id: 'alder', forLiveMap: 'true' },
    })
    expect(onMap.items).toMatchObject([{ slug: 'spin', name: 'Spin' }])
  })

  it('is restored after a restart with types and stations, and outdated vehicles are never shown', async () => {
    sink = openSink()
    snapshots.length = 0
    await app.state
      .as(systemScope)
      .updateTable('feed')
      .set({ enabled: true })
      .where('feed_id', '=', feed.feedId)
      .execute()
    await restoreSnapshots(
      {
        state: app.state,
        secretBox: openSecretBox({ dataDir: app.dataDir, secretKey: null }),
        log: (line) => expect(line).toBe(''),
      },
      sink,
    )
    expect(snapshots).toMatchObject([
      { at: start + 50 * minuteMs, vehicles: { length: 4 }, stations: [{ vehiclesAvailable: 3 }] },
    ])
    expect(snapshots[0]?.vehicles[0]?.vehicleType).toBe('scooter_standing')
    await storeFile(feed, 'vehicle_status', start + 20 * minuteMs, makeVehicles(1), start + 20 * minuteMs)
    expect(snapshots).toHaveLength(1)
  })

  it('stores its zones as a layer that is not editable and changes only with them', async () => {
    const makeSquare = (x: number) => ({
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [x, 41.4],
            [x + 0.05, 41.4],
            [x + 0.05, 41.45],
            [x, 41.45],
            [x, 41.4],
          ],
        ],
      ],
    })
    const makeZones = (...rings: number[]) => ({
      geofencing_zones: {
        type: 'FeatureCollection',
        features: rings.map((x, n) => ({
          type: 'Feature',
          geometry: makeSquare(x),
          properties: {
            name: [{ text: `Park ${n}`, language: 'en' }],
            rules: [{ ride_start_allowed: false, ride_end_allowed: false, ride_through_allowed: true }],
          },
        })),
      },
    })
    await app.state
      .as(systemScope)
      .insertInto('operator')
      .values({ organization_id: city.organizations.alder, slug: 'spin', name: 'Spin', color_hex: '#FF5503' })
      .execute()
    await storeFile(feed, 'geofencing_zones', start, makeZones(-72.5, -72.6))
    const layers = async () =>
      (await call(app, city.viewer, listLayers, { params: { region_id: 'alder' } })).items
    const [layer] = await layers()
    expect(layer).toMatchObject({
      layer_name: 'Spin geofencing zones',
      editable: false,
      shape_count: 2,
      geometry_type: 'area',
    })
    await storeFile(feed, 'geofencing_zones', start + minuteMs, makeZones(-72.5, -72.6))
    expect(await layers()).toEqual([layer])
    await storeFile(feed, 'geofencing_zones', start + 2 * minuteMs, makeZones(-72.5, -72.7, -72.8))
    const [changed, ...others] = await layers()
    expect([changed?.shape_layer_uuid, changed?.shape_count, changed?.editable, others]).toEqual([
      layer?.shape_layer_uuid,
      3,
      false,
      [],
    ])
    const shapes = await call(app, city.viewer, listShapes, {
      params: { region_id: 'alder' },
      query: { shape_layer_uuid: layer?.shape_layer_uuid ?? '' },
    })
    expect(shapes.items[0]).toMatchObject({
      shape_name: 'Park 0',
      properties: { ride_start_allowed: false, ride_through_allowed: true },
    })
    // A zone without a valid shape changes nothing, and does not block the feed.
    await storeFile(feed, 'geofencing_zones', start + 3 * minuteMs, {
      geofencing_zones: {
        type: 'FeatureCollection',
        features: [{ type: 'Feature', geometry: { type: 'Polygon', coordinates: 'x' }, properties: {} }],
      },
    })
    expect(await layers()).toEqual([changed])
  })
})

describe('the GBFS proxy', () => {
  const readProxy = (gbfs_endpoint: string, operator?: string, as: SignedIn = city.viewer) =>
    sendAs(as, getGbfs, {
      params: { region_id: 'alder', gbfs_endpoint },
      query: operator ? { operator } : {},
    })

  it('returns the newest file unchanged', async () => {
    const response = await readProxy('vehicle_status')
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
    ])
    expect(response.json()).toEqual(makeFile(start + 50 * minuteMs, makeVehicles(4)))
    expect((await readProxy('vehicle_status.json')).json()).toEqual(response.json())
    expect((await readProxy('free_bike_status')).json()).toEqual(response.json())
  })

  it('returns the list of files with addresses of this server', async () => {
    const { body } = await readProxy('gbfs')
    expect(JSON.parse(body).data.feeds[1]).toEqual({
      name: 'vehicle_status',
      url: 'https://streets.example/v2/regions/alder/gbfs_proxy/vehicle_status?operator=spin',
    })
    expect(body).not.toContain('secret')
  })

  it('requires an operator if there are several', async () => {
    const lime = await addFeed('lime', 'gbfs')
    await storeFile(lime, 'vehicle_status', start, makeVehicles(1))
    expect(readProblem(await readProxy('vehicle_status'))).toMatchObject({
      status: 422,
      detail: expect.stringContaining('lime, spin'),
    })
    expect((await readProxy('vehicle_status', 'lime')).json().data.vehicles).toHaveLength(1)
  })

  it('reports missing files, and does not serve other organizations', async () => {
    expect(readProblem(await readProxy('system_alerts'))).toMatchObject({
      status: 404,
      detail: 'No GBFS feed of this region has sent system_alerts yet.',
    })
    expect(readProblem(await readProxy('vehicle_status', 'bird'))).toMatchObject({
      status: 404,
      detail: expect.stringContaining("'bird'"),
    })
    expect(readProblem(await readProxy('../users')).status).toBe(422)
    expect(readProblem(await readProxy('vehicle_status', undefined, city.stranger)).status).toBe(404)
  })
})

describe('a feed of the city', () => {
  it('stores Open311 issues once, and closes them when the feed does', async () => {
    const feed = await addFeed(null, 'open311')
    const keep = storeOpen311(app.state)
    const storeBody = (body: unknown, at: number, stream = 'requests') =>
      keep(feed, openThreeOneOne.read(feed, stream, Buffer.from(JSON.stringify(body)), at).other, at)
    const open = {
      service_request_id: '7',
      status: 'open',
      service_code: '006',
      requested_datetime: '2026-07-30T12:00:00Z',
      updated_datetime: '2026-07-30T12:00:00Z',
      lat: 41.5,
      long: -72.5,
    }
    const closed = { ...open, status: 'closed', updated_datetime: '2026-07-31T18:00:00Z' }
    expect(await storeBody([open, { ...open, service_request_id: '8' }], start)).toBe(2)
    await storeBody([closed], start + 60 * minuteMs)
    await storeBody([open], start + 120 * minuteMs)
    expect(await storeBody([{ service_code: '006', service_name: 'Scooters' }], start, 'services')).toBe(1)
    const list = (query: object = {}) =>
      sendAs(city.viewer, listIssues, { params: { region_id: 'alder' }, query })
    expect((await list()).json()).toMatchObject({ total: 2, page: 1, size: 50 })
    expect(
      (
        await list({
          status: 'closed',
          resolution_time: '24-72',
          start_date: '2026-07-30',
          end_date: '2026-07-30',
          service_code: '006',
        })
      ).json().items,
    ).toMatchObject([
      {
        id: '7',
        source: feed.feedId,
        service_name: 'Scooters',
        status: 'closed',
        closed_time: '2026-07-31T18:00:00.000Z',
        resolution_time: 30,
      },
    ])
    expect((await list({ resolution_time: '72-' })).json().total).toBe(0)
    expect(readProblem(await list({ resolution_time: 'soon' })).status).toBe(422)
    expect(
      (await sendAs(city.viewer, listIssueTypes, { params: { region_id: 'alder' } })).json().items,
    ).toEqual([{ service_code: '006', service_name: 'Scooters', open: 1, closed: 1 }])
    expect(
      (await sendAs(city.viewer, getIssue, { params: { region_id: 'alder', issue_id: '7' } })).json().history,
    ).toMatchObject([{ status: 'open' }, { status: 'closed', time: '2026-07-31T18:00:00.000Z' }])
    expect(
      readProblem(await sendAs(city.viewer, getIssue, { params: { region_id: 'alder', issue_id: '9' } }))
        .status,
    ).toBe(404)
    expect(
      readProblem(await sendAs(city.stranger, listIssues, { params: { region_id: 'alder' } })).status,
    ).toBe(404)
  })

  it('replaces weather forecasts by measurements, never the other way round', async () => {
    const feed = await addFeed(null, 'weather')
    const keep = storeWeatherDays(app.state)
    const storeWeather = (stream: string, at: number, rain: number | null, heat: number | null) =>
      keep(
        feed,
        weatherOpenMeteo.read(
          feed,
          stream,
          Buffer.from(
            JSON.stringify({
              daily_units: { precipitation_sum: 'mm', temperature_2m_max: '°C' },
              daily: { time: ['2026-08-01'], precipitation_sum: [rain], temperature_2m_max: [heat] },
            }),
          ),
          at,
        ).other,
        at,
      )
    const readDay = async () =>
      (await sendAs(city.viewer, getWeather, { params: { region_id: 'alder', day: '2026-08-01' } })).json()
    await storeWeather('recent', start, 9, 30)
    expect(await readDay()).toMatchObject({
      kind: 'forecast',
      precipitation_mm: 9,
      temperature_max_c: 30,
      units: { precipitation_mm: 'mm', temperature_max_c: '°C' },
    })
    expect(await storeWeather('archive', start + 9000 * minuteMs, 2, null)).toBe(1)
    await storeWeather('recent', start + 60 * minuteMs, 8, 31)
    expect(await readDay()).toMatchObject({ kind: 'modelled', precipitation_mm: 2, temperature_max_c: null })
    expect(
      (
        await sendAs(city.viewer, listWeather, {
          params: { region_id: 'alder' },
          query: { start_date: '2026-07-31', end_date: '2026-08-02' },
        })
      ).json(),
    ).toMatchObject({ units: { precipitation_mm: 'mm' }, items: [{ day: '2026-08-01' }] })
    expect(
      readProblem(
        await sendAs(city.viewer, getWeather, { params: { region_id: 'alder', day: '2026-08-02' } }),
      ).status,
    ).toBe(404)
    expect(
      readProblem(
        await sendAs(city.viewer, getWeather, { params: { region_id: 'alder', day: '2026-02-30' } }),
      ).status,
    ).toBe(422)
  })
})

test('50,000 issues are counted by filter', async () => {
  const makeRows = (first: number) =>
    Array.from({ length: 1000 }, (_, n) => ({
      region_id: 'birch',
      source: 'files',
      issue_id: `c${first + n}`,
      service_code: `code${(first + n) % 20}`,
      service_name: 'x',
      status: n % 3 ? 'closed' : 'open',
      source_status: 'x',
      requested_time: new Date(start - (first + n) * 10 * minuteMs),
      resolution_hours: n % 3 ? n % 100 : null,
      address: null,
      lat: 47.5,
      lon: -52.7,
      first_seen: new Date(start),
      version_time: new Date(start),
      observed_time: new Date(start),
      content_hash: 'x',
    }))
  for (let first = 0; first < 50_000; first += 1000)
    await app.state.as(systemScope).insertInto('issue').values(makeRows(first)).execute()
  const closedHours = Array.from({ length: 50_000 }, (_, n) => n % 1000)
    .filter((n) => n % 20 === 1 || n % 20 === 2)
    .flatMap((n) => (n % 3 ? [n % 100] : []))
  for (const [query, total] of [
    [{}, 50_000],
    [{ service_code: 'code7' }, 2500],
    [{ status: 'open' }, 50 * 334],
    [
      { service_code: 'code1,code2', status: 'closed', resolution_time: '24-72' },
      closedHours.filter((hours) => hours > 24 && hours <= 72).length,
    ],
  ] as const)
    expect(
      (await sendAs(city.viewer, listIssues, { params: { region_id: 'birch' }, query })).json().total,
    ).toBe(total)
})
