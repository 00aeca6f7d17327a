import { gunzipSync, inflateRawSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { endpoints } from '#contract/endpoints.ts'
import { uploadShapes } from '#contract/boundary-files.ts'
import { changeRegion } from '#contract/regions.ts'
import * as routes from '#contract/routes.ts'
import { regionScope } from '#server/identity/scope.ts'
import { routeColumns } from '#server/routes/route-line.ts'
import { makeStreetSegments } from '#server/routes/street-segments.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import {
  call,
  openTestApp,
  readProblem,
  request,
  send,
  type SignedIn,
  type TestApp,
  makeUrl,
} from '../app.ts'
import { makeRegions, sendTrips, type TestCity } from '../city.ts'
import { cityTrips, formatCsv, tripMapping } from '../city/trips.ts'

const region_id = 'alder'
const inAlder = { params: { region_id } }
const [lon, lat] = [-72.5, 41.49]
/** A cross of Long Street (west to east) and High Street (south to north), and a lane without trips. */
const streets = [
  {
    name: 'Long Street',
    class: 'arterial',
    coordinates: [
      [lon - 0.01, lat],
      [lon, lat],
      [lon + 0.01, lat],
    ],
  },
  {
    name: 'High Street',
    class: 'local',
    coordinates: [
      [lon, lat - 0.01],
      [lon, lat],
      [lon, lat + 0.01],
    ],
  },
  {
    name: '=Lane',
    class: 'local',
    coordinates: [
      [lon + 0.02, lat],
      [lon + 0.02, lat + 0.01],
    ],
  },
] as const
const [west, east, south, north] = makeStreetSegments(
  streets.map(({ name, coordinates }) => ({ shapeUuid: name, coordinates })),
).map(({ id }) => id) as [number, number, number, number]
const file = JSON.stringify({
  type: 'FeatureCollection',
  features: streets.map(({ name, class: kind, coordinates }) => ({
    type: 'Feature',
    properties: { name, class: kind },
    geometry: { type: 'LineString', coordinates },
  })),
})

interface TripGroup {
  count: number
  operator: string
  type: string
  day: string
  hour: number
  /** Ids of segments, negative against their direction. */
  ridden: readonly number[]
}
const bicycles = { operator: 'alder-bikes', type: 'bicycle' }
const scooters = { operator: 'birch-scoot', type: 'scooter' }
/** February: 12 east, 9 turn north, 3 back and forth, 2 on no street. March: 10 east. */
const tripGroups: readonly TripGroup[] = [
  { count: 12, ...bicycles, day: '2026-02-20', hour: 8, ridden: [west, east] },
  { count: 9, ...scooters, day: '2026-02-21', hour: 17, ridden: [west, north] },
  { count: 3, ...bicycles, day: '2026-02-22', hour: 8, ridden: [-east, east, -east, -west] },
  { count: 1, ...bicycles, day: '2026-02-23', hour: 9, ridden: [] },
  { count: 1, ...bicycles, day: '2026-02-23', hour: 9, ridden: [123] },
  { count: 10, ...bicycles, day: '2026-03-05', hour: 8, ridden: [east] },
]
const february = { start_date: '2026-02-01', end_date: '2026-02-28' }

let app: TestApp
let city: TestCity
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  await sendTrips(app, city.admin, {
    region_id,
    file_name: 'trips.csv',
    bytes: formatCsv(cityTrips),
    mapping: tripMapping,
  })
  await call(app, city.admin, changeRegion, { ...inAlder, body: { hasMdsData: true } })
})
afterAll(() => app.close())

const listPage = (query: Partial<Parameters<typeof makeUrl>[1]['query'] & object> = {}, as = city.viewer) =>
  call(app, as, routes.listRoutes, { ...inAlder, query: query as { start_date?: string } })
const readRows = async (query: object = {}) =>
  (await listPage(query)).items.map(({ segment_id, forward, backward, trips }) => [
    Number(segment_id),
    forward,
    backward,
    trips,
  ])

test('a region without streets says so, and has no tiles', async () => {
  expect(await call(app, city.viewer, routes.getRouteVolumes, inAlder)).toMatchObject({
    streets_version: null,
    segment_ids: [],
    trips_with_way: 0,
  })
  expect(await call(app, city.viewer, routes.getRouteDateRange, inAlder)).toEqual({
    start_date: null,
    end_date: null,
    trips_with_way: 0,
  })
  expect(
    (await send(app, city.viewer, routes.getRouteTile, { params: { region_id, z: 12, x: 1223, y: 1527 } }))
      .statusCode,
  ).toBe(204)
})

describe('a region with streets and routes', () => {
  beforeAll(async () => {
    await call(app, city.admin, uploadShapes, {
      ...inAlder,
      query: {
        file_name: 'streets.geojson',
        layer_name: 'Streets',
        name_property: 'name',
        level: 'basemap:street',
      },
      body: Buffer.from(file),
    })
    const scope = regionScope(city.organizations.alder, region_id)
    let number = 0
    const lines = tripGroups.flatMap(({ count, operator, type, day, hour, ridden }) =>
      Array.from(
        { length: count },
        () =>
          `${region_id}\t${operator}\t${(++number).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000\t00000000-0000-4000-8000-000000000001\t${type}\t${day} 12:00:00\t${day}\t${hour}\t[0,1]\t[0,1]\t[0,9]\t1000\t2\t[${ridden.map(Math.abs).join(',')}]\t[${ridden.map(Math.sign).join(',')}]\t0\t1\n`,
      ),
    )
    await app.facts.insert(scope, 'trip_routes', {
      columns: routeColumns,
      regionId: region_id,
      lines: Buffer.from(lines.join('')),
    })
    await increaseFactsVersion(app.state, scope, region_id)
    await app.derivation.idle(['route_volumes'])
  })

  it('counts each trip of a segment once in each direction, the busiest first', async () => {
    expect(await readRows(february)).toEqual(
      [
        [east, 15, 3, 18],
        [west, 21, 3, 24],
        [north, 9, 0, 9],
      ].toSorted((a, b) => (b[3] ?? 0) - (a[3] ?? 0)),
    )
    const { items } = await listPage(february)
    expect(items.map(({ street, class: kind, heading }) => [street, kind, heading])).toEqual([
      ['Long Street', 'arterial', 90],
      ['Long Street', 'arterial', 90],
      ['High Street', 'local', 0],
    ])
    expect(items[0]?.length_m).toBeCloseTo(0.01 * 111_195 * Math.cos((lat * Math.PI) / 180), 0)
  })

  it('filters, sorts and pages routes by direction consistently', async () => {
    expect(await readRows({ ...february, operators: 'birch-scoot' })).toEqual(
      [
        [west, 9, 0, 9],
        [north, 9, 0, 9],
      ].toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    )
    expect(
      await readRows({
        ...february,
        start_time_hour: 8,
        end_time_hour: 8,
        direction: 'backward',
        order_by: 'street',
      }),
    ).toHaveLength(2)
    expect(
      await readRows({ ...february, start_time_hour: 17, end_time_hour: 23, vehicle_type: 'bicycle' }),
    ).toEqual([])
    expect(await readRows({ ...february, days: '6', text: 'high' })).toEqual([[north, 9, 0, 9]])
    expect((await readRows({ ...february, direction: 'west' })).map(([, , , trips]) => trips)).toEqual([3, 3])
    expect(await readRows({ ...february, direction: 'north' })).toEqual([[north, 9, 0, 9]])
    // Reversed days are put in order.
    const two = await listPage({ ...february, size: 2, page: 2 })
    expect([two.total, two.items.length, two.page]).toEqual([3, 1, 2])
    expect(
      readProblem(
        await send(app, city.viewer, routes.listRoutes, {
          ...inAlder,
          query: { start_time_hour: 9, end_time_hour: 24 },
        }),
      ).status,
    ).toBe(422)
  })

  it('has the same numbers in map columns, list and statistics, and the number of trips without a route', async () => {
    const volumes = await call(app, city.viewer, routes.getRouteVolumes, { ...inAlder, query: february })
    const list = await listPage(february)
    expect(
      Object.fromEntries(
        volumes.segment_ids.map((id, index) => [
          id,
          [
            volumes.forward[index],
            volumes.backward[index],
            volumes.streets[volumes.street[index] ?? -1]?.name,
          ],
        ]),
      ),
    ).toEqual(
      Object.fromEntries(list.items.map((row) => [row.segment_id, [row.forward, row.backward, row.street]])),
    )
    expect(volumes.gone_segments).toBe(1)
    const trips = cityTrips.filter(({ day }) => day >= february.start_date && day <= february.end_date).length
    const counts = { trips, trips_with_way: 26, trips_matched: 25 }
    expect(volumes).toMatchObject(counts)
    expect(list).toMatchObject(counts)
    const statistics = await call(app, city.viewer, routes.getRouteStatistics, {
      ...inAlder,
      query: february,
    })
    expect(statistics).toMatchObject({ ...counts, matched_share: 25 / 26, ways_length_m: 26_000 })
    expect(statistics.by_hour.map(({ trips_with_way }) => trips_with_way).filter(Boolean)).toEqual([15, 2, 9])
    expect(statistics.busiest.map(({ trips: n }) => n)).toEqual([24, 18, 9])
    expect(statistics.busiest.map(({ cross_streets: names }) => names[0])).toEqual([
      'High Street',
      'High Street',
      'Long Street',
    ])
    const measured = cityTrips
      .filter(
        ({ day, measured: isMeasured }) =>
          day >= february.start_date && day <= february.end_date && isMeasured,
      )
      .map(({ meters }) => meters ?? NaN)
    expect(statistics.distance_m.n).toBe(measured.length)
    expect(statistics.distance_m.mean).toBeCloseTo(
      measured.reduce((sum, value) => sum + value, 0) / measured.length,
      1,
    )
    expect(await call(app, city.viewer, routes.getRouteDateRange, inAlder)).toEqual({
      start_date: '2026-02-20',
      end_date: '2026-03-05',
      trips_with_way: 36,
    })
    expect((await call(app, city.viewer, routes.listRouteVehicleTypes, inAlder)).items).toEqual([
      'bicycle',
      'scooter',
    ])
    expect(
      (await call(app, city.viewer, routes.listRouteOperators, inAlder)).items.map(({ slug }) => slug),
    ).toEqual(['alder-bikes', 'birch-scoot'])
  })

  it('has the same rows in every file format, by query or by Accept', async () => {
    const list = await listPage(february)
    const download = (headers: Record<string, string>, query: object) =>
      request(app, {
        method: 'GET',
        url: makeUrl(routes.listRoutes, { ...inAlder, query: { ...february, ...query } }),
        headers: { authorization: `Bearer ${city.viewer.token}`, ...headers },
      })
    const csv = await download({ accept: 'text/csv' }, {})
    expect(csv.headers['content-disposition']).toContain('routes_alder_2026-02-01_2026-02-28.csv')
    expect(
      csv.body
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',').slice(-3).map(Number)),
    ).toEqual(list.items.map(({ trips, forward, backward }) => [trips, forward, backward]))
    const geojson = (await download({ accept: 'application/geo+json' }, {})).json() as {
      features: { geometry: { coordinates: number[][] }; properties: { segment_id: string } }[]
    }
    expect(
      geojson.features.map(({ properties, geometry }) => [
        Number(properties.segment_id),
        geometry.coordinates.length,
      ]),
    ).toEqual(list.items.map(({ segment_id }) => [Number(segment_id), 2]))
    expect((await download({}, { format: 'json' })).json()).toMatchObject({
      items: list.items,
      trips_with_way: 26,
    })
    const zip = (await download({}, { format: 'zip' })).rawPayload
    const name = zip.readUInt16LE(26)
    expect(inflateRawSync(zip.subarray(30 + name, 30 + name + zip.readUInt32LE(18))).toString()).toBe(
      csv.body,
    )
    expect(
      Buffer.from(
        await call(app, city.viewer, routes.downloadRoutes, {
          ...inAlder,
          query: { ...february, format: 'csv' },
        }),
      ).toString(),
    ).toBe(csv.body)
  })

  it('has each segment in tiles', async () => {
    const [x, y] = [Math.floor(((lon + 180) / 360) * 2 ** 12), 1527]
    const found = new Set<string>()
    for (const row of [y - 1, y, y + 1]) {
      const tile = await send(app, city.viewer, routes.getRouteTile, {
        params: { region_id, z: 12, x, y: row },
      })
      if (tile.statusCode !== 200) continue
      const layer = new VectorTile(new PbfReader(gunzipSync(tile.rawPayload))).layers['shapes']
      for (let at = 0; at < (layer?.length ?? 0); at++)
        found.add(String(layer?.feature(at).properties['shape_uuid']))
    }
    expect([...found]).toEqual(expect.arrayContaining([west, east, south, north].map(String)))
  })

  describe('that publishes routes', () => {
    const readPublic = (path: string, headers: Record<string, string> = {}, from = '10.9.9.9') =>
      request(app, { method: 'GET', url: `/v2/public/regions/${path}`, headers, from })

    const readVolumes = async (month: string) =>
      (await readPublic(`alder/routes/volumes?month=${month}`)).json() as routes.PublicRouteVolumes
    const publishing = (months: object = {}) => ({ ...inAlder, body: { published: true, ...months } })
    const getPublishingStatus = async (as: SignedIn, months?: object) =>
      readProblem(await send(app, as, routes.setRoutePublishing, publishing(months))).status

    it('shows nothing until an authorized user switches it on', async () => {
      for (const path of [
        'alder/routes',
        'alder/routes/volumes?month=2026-02',
        'alder/routes/vector/12/1223/1527',
        'nowhere/routes',
      ])
        expect(readProblem(await readPublic(path)).status).toBe(404)
      expect(await getPublishingStatus(city.planner)).toBe(403)
      expect(await getPublishingStatus(city.stranger)).toBe(404)
      expect(await call(app, city.viewer, routes.getRoutePublishing, inAlder)).toEqual({
        published: false,
        first_month: null,
        last_month: null,
        months: ['2026-03', '2026-02'],
      })
      expect(await call(app, city.admin, routes.setRoutePublishing, publishing())).toMatchObject({
        published: true,
      })
    })

    it('shows whole past months, and no cell below the region’s minimum', async () => {
      expect((await readPublic('alder/routes')).json()).toMatchObject({
        text: 'Alder',
        months: ['2026-03', '2026-02'],
        privacy_minimum: 10,
      })
      const response = await readVolumes('2026-02')
      expect(
        Object.fromEntries(response.segment_ids.map((id, index) => [id, response.trips[index]])),
      ).toEqual({ [west]: 24, [east]: 18 })
      expect([response.privacy_minimum, response.streets]).toEqual([10, ['Long Street']])
      const trips = cityTrips.filter(({ day }) => day.startsWith('2026-02')).length
      expect(response.route_share).toBe(Math.round((100 * 26) / trips) / 100)
      expect(JSON.stringify(response)).not.toMatch(/forward|backward|alder-bikes|bicycle/)
      expect((await readVolumes('2026-03')).trips).toEqual([10])
      await call(app, city.admin, changeRegion, { ...inAlder, body: { privacyMinimum: 20 } })
      expect((await readVolumes('2026-02')).trips).toEqual([24])
      await call(app, city.admin, changeRegion, { ...inAlder, body: { privacyMinimum: 10 } })
    })

    it('shows only the chosen months', async () => {
      const change = (first_month: string | null, last_month: string | null) =>
        call(app, city.admin, routes.setRoutePublishing, publishing({ first_month, last_month }))
      expect(await change('2026-03', null)).toMatchObject({
        first_month: '2026-03',
        months: ['2026-03', '2026-02'],
      })
      expect((await readPublic('alder/routes')).json()).toMatchObject({ months: ['2026-03'] })
      expect(readProblem(await readPublic('alder/routes/volumes?month=2026-02')).status).toBe(404)
      await change(null, '2026-02')
      expect((await readPublic('alder/routes')).json()).toMatchObject({ months: ['2026-02'] })
      expect(await getPublishingStatus(city.admin, { first_month: '2026-03', last_month: '2026-02' })).toBe(
        422,
      )
      await change(null, null)
    })

    it('a region with streets and routes that publishes routes has no finer filters, and no current month', async () => {
      const whole = (await readPublic('alder/routes/volumes?month=2026-02')).body
      expect(
        (
          await readPublic(
            'alder/routes/volumes?month=2026-02&operators=alder-bikes&vehicle_type=bicycle&direction=forward&start_date=2026-02-20&start_time_hour=8',
          )
        ).body,
      ).toBe(whole)
      for (const month of [new Date().toISOString().slice(0, 7), '2026-01', '2031-01'])
        expect(readProblem(await readPublic(`alder/routes/volumes?month=${month}`)).status).toBe(404)
      expect(readProblem(await readPublic('alder/routes/volumes?month=2026-02-20')).status).toBe(422)
    })

    it('sends responses that can be cached with an ETag', async () => {
      const first = await readPublic('alder/routes/volumes?month=2026-02')
      expect(first.headers['cache-control']).toContain('public')
      expect(
        (
          await readPublic('alder/routes/volumes?month=2026-02', {
            'if-none-match': String(first.headers.etag),
          })
        ).statusCode,
      ).toBe(304)
      expect((await readPublic('alder/routes/vector/12/1223/1527')).statusCode).toBeLessThan(205)
    })

    it('shows nothing if the routes map is not allowed or there is no MDS data', async () => {
      await call(app, city.admin, changeRegion, { ...inAlder, body: { hasMdsData: false } })
      expect(readProblem(await readPublic('alder/routes')).status).toBe(404)
      await call(app, city.admin, changeRegion, {
        ...inAlder,
        body: { hasMdsData: true, allowedMaps: ['trips'] },
      })
      expect(readProblem(await readPublic('alder/routes')).status).toBe(404)
      await call(app, city.admin, changeRegion, { ...inAlder, body: { allowedMaps: null } })
      expect((await readPublic('alder/routes')).statusCode).toBe(200)
    })
  })
})

test('no other routes call works without a sign-in', async () => {
  // Public calls need a review of what they reveal.
  const everybodys = [
    'downloadExport',
    'endAlertSubscriptionByToken',
    'endIncidentSubscription',
    'endReportByToken',
    'exportPublicCurbZones',
    'getBasemap',
    'getDemo',
    'getHealth',
    'getInvoiceByLink',
    'getLiveness',
    'getMdsGeography',
    'getMdsPolicy',
    'getMdsRequirements',
    'getOidcConfig',
    'getOnboardingLink',
    'getPing',
    'getPublicBasemapTile',
    'getPublicCurbHere',
    'getPublicCurbTile',
    'getPublicCurbWeek',
    'getPublicCurbZone',
    'getPublicPolicies',
    'getPublicRates',
    'getPublicRegion',
    'getPublicRouteTile',
    'getPublicRouteVolumes',
    'getPublicRoutes',
    'getPublicShape',
    'getReadiness',
    'getRoot',
    'listMdsGeographies',
    'listMdsGeographiesFile',
    'listMdsPolicies',
    'listMdsPoliciesFile',
    'listPublicCurbZonesAt',
    'listPublicRegions',
    'listPublicShapes',
  ]
  expect(
    [...endpoints]
      .filter(([, { permission }]) => permission === 'public')
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(everybodys)
  for (const [name, endpoint] of endpoints) {
    if (endpoint.permission === 'public') continue
    const params = Object.fromEntries(
      Object.keys(endpoint.request.params?.shape ?? {}).map((key) => [
        key,
        key === 'region_id' ? region_id : '1',
      ]),
    )
    for (const prefix of endpoint.prefixes) {
      const response = await request(app, {
        method: endpoint.method,
        url: makeUrl(endpoint, { params }, prefix),
        ...(endpoint.method === 'GET' ? {} : { body: {} }),
      })
      expect([401, 403], `${name} ${prefix}`).toContain(response.statusCode)
    }
  }
})
