import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { composeSnapshot, type GbfsParts } from '../gbfs/compose-snapshot.ts'
import { type GbfsPart, isGbfsPart } from '../gbfs/gbfs-part.ts'
import { type AdapterFeed, UnreadableBody } from './adapter.ts'
import { gbfs } from './gbfs.ts'

const makeFeed = (
  settings: Record<string, unknown> = {},
  overrides: Partial<AdapterFeed> = {},
): AdapterFeed => ({
  feedId: 'f',
  regionId: 'alder',
  operator: 'spin',
  providerId: '',
  version: '2.3',
  url: 'https://feeds.example/gbfs.json',
  settings,
  timezone: 'America/New_York',
  lat: 40,
  lon: -83,
  ...overrides,
})
const received = Date.UTC(2026, 7, 1)
const toBytes = (value: unknown): Uint8Array =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
const read = (stream: string, value: unknown, feed = makeFeed()) =>
  gbfs.read(feed, stream, toBytes(value), received)
function makePart(stream: string, value: unknown, feed = makeFeed()): GbfsPart {
  const { other } = read(stream, value, feed)
  if (!isGbfsPart(other)) throw new Error('no part')
  return other
}
const makeParts = (files: Record<string, unknown>): GbfsParts =>
  Object.assign(
    {},
    ...Object.entries(files).map(([name, file]) => ({ [makePart(name, file).kind]: makePart(name, file) })),
  )
const readSnapshot = (files: Record<string, unknown>, settings = {}) =>
  composeSnapshot({ ...makeFeed(), settings }, makeParts(files))
const v2 = (data: unknown) => ({ last_updated: 1_785_500_000, ttl: 60, version: '2.3', data })
const v3 = (data: unknown) => ({ last_updated: '2026-07-31T12:00:00+02:00', ttl: 60, version: '3.0', data })

/** Returns the error that a function throws; null if it throws none. */
function catchError(act: () => unknown): unknown {
  try {
    act()
    return null
  } catch (error) {
    return error
  }
}
const isRefused = (error: unknown): boolean => error === null || error instanceof UnreadableBody

describe('discovery', () => {
  const list = [
    { name: 'vehicle_status', url: 'https://a.example/v' },
    { name: 'station_status.json', url: '/relative/s' },
    { name: 'something_else', url: 'https://a.example/x' },
    { name: 'system_alerts', url: 'ftp://a.example' },
    { name: 7 },
  ]
  const namedFiles = [
    { name: 'vehicle_status', url: 'https://a.example/v' },
    { name: 'station_status', url: 'https://feeds.example/relative/s' },
  ]

  it('lists the files of 3.0, and those of 2.x by language', () => {
    expect(makePart('discovery', v3({ feeds: list }))).toMatchObject({
      kind: 'discovery',
      endpoint: 'gbfs',
      feeds: namedFiles,
      lastUpdated: Date.UTC(2026, 6, 31, 10),
    })
    const french = v2({ en: { feeds: [] }, 'fr-CA': { feeds: list } })
    expect(makePart('discovery', french, makeFeed({ language: 'fr' }))).toMatchObject({ feeds: namedFiles })
    expect(() => makePart('discovery', french)).toThrow('names no files')
    expect(makePart('discovery', v2({ nl: { feeds: list } }))).toMatchObject({ feeds: namedFiles })
  })

  it('requests one of the two names of the vehicle list', () => {
    const both = v3({ feeds: [...list, { name: 'free_bike_status', url: 'https://a.example/b' }] })
    expect(makePart('discovery', both)).toMatchObject({ feeds: namedFiles })
  })

  it('continues from a manifest to the requested system and version', () => {
    const versions = [
      { version: '2.0', url: 'https://a.example/2.0' },
      { version: '3.1-RC3', url: 'https://a.example/rc' },
      { version: '3.0', url: 'https://a.example/3.0' },
    ]
    const manifest = v3({
      datasets: [
        { system_id: 'paris', versions },
        { system_id: 'rome', versions: [] },
      ],
    })
    const getNextStreams = (settings: Record<string, unknown>, version: string) =>
      read('discovery', manifest, makeFeed(settings, { version })).next
    expect(getNextStreams({ system_id: 'paris' }, '2.0')).toBe('https://a.example/2.0')
    expect(getNextStreams({ system_id: 'paris' }, '2.3')).toBe('https://a.example/3.0')
    expect(() => getNextStreams({}, '3.0')).toThrow(/2 systems.*paris, rome/)
    expect(() => getNextStreams({ system_id: 'oslo' }, '3.0')).toThrow(/no system 'oslo'/)
    expect(() => getNextStreams({ system_id: 'rome' }, '3.0')).toThrow(/names no version/)
  })

  it('lists the streams and their intervals', () => {
    const feed = makeFeed({
      discovered: { vehicle_status: 'https://a.example/v', vehicle_types: 'https://a.example/t' },
      urls: { vehicle_types: 'https://set.example/t' },
    })
    expect(gbfs.streams(makeFeed())).toEqual([{ name: 'discovery', window: 'now', everySeconds: 3600 }])
    expect(gbfs.streams(feed)).toEqual([
      { name: 'discovery', window: 'now', everySeconds: 3600 },
      { name: 'vehicle_status', window: 'now' },
      { name: 'vehicle_types', window: 'now', everySeconds: 3600 },
    ])
    expect(gbfs.request(feed, 'vehicle_types', { from: 0, until: 0 }).url).toBe('https://set.example/t')
    expect(gbfs.request(feed, 'discovery', { from: 0, until: 0 }).url).toBe('https://feeds.example/gbfs.json')
    expect(() => gbfs.request(feed, 'system_alerts', { from: 0, until: 0 })).toThrow(
      'no address for system_alerts',
    )
  })
})

describe('a snapshot', () => {
  it('reads a snapshot from files of 3.0 with types, station locations and languages', () => {
    const snapshot = readSnapshot({
      vehicle_types: v3({
        vehicle_types: [
          { vehicle_type_id: 'a', form_factor: 'bicycle', propulsion_type: 'electric_assist' },
          { vehicle_type_id: 'b', form_factor: 'scooter_standing', propulsion_type: 'electric' },
          { vehicle_type_id: 'c', form_factor: 'cargo_bicycle', propulsion_type: 'human' },
        ],
      }),
      vehicle_status: v3({
        vehicles: [
          {
            vehicle_id: '1',
            lat: 40,
            lon: -83,
            is_reserved: false,
            is_disabled: true,
            vehicle_type_id: 'a',
            current_range_meters: 1200,
            current_fuel_percent: 0.5,
            last_reported: '2026-07-31T09:59:00Z',
          },
          { vehicle_id: '2', station_id: 's', is_reserved: true, is_disabled: false, vehicle_type_id: 'b' },
          {
            vehicle_id: '3',
            lat: 40.1,
            lon: -83,
            is_reserved: false,
            is_disabled: false,
            vehicle_type_id: 'c',
          },
          {
            vehicle_id: '4',
            lat: 40.1,
            lon: -83,
            is_reserved: false,
            is_disabled: false,
            vehicle_type_id: 'gone',
          },
          { vehicle_id: '5', station_id: 'nowhere', is_reserved: false, is_disabled: false },
        ],
      }),
      station_information: v3({
        stations: [
          {
            station_id: 's',
            name: [
              { text: 'Gare', language: 'fr' },
              { text: 'Station', language: 'en' },
            ],
            lat: 40.2,
            lon: -83.1,
            capacity: 12,
          },
        ],
      }),
      station_status: v3({
        stations: [
          {
            station_id: 's',
            num_vehicles_available: 3,
            num_docks_available: 9,
            is_installed: true,
            is_renting: true,
            is_returning: true,
            last_reported: '2026-07-31T10:00:00Z',
          },
        ],
      }),
    })
    expect(snapshot).toMatchObject({
      regionId: 'alder',
      operator: 'spin',
      feedId: 'f',
      at: Date.UTC(2026, 6, 31, 10),
    })
    expect(snapshot?.vehicles[0]).toEqual({
      vehicleId: '1',
      vehicleType: 'bicycle',
      lon: -83,
      lat: 40,
      battery: 50,
      range: 1200,
      isReserved: false,
      isDisabled: true,
      lastReported: Date.UTC(2026, 6, 31, 9, 59),
    })
    expect(
      snapshot?.vehicles.map(({ vehicleId, vehicleType, lat, isReserved }) => [
        vehicleId,
        vehicleType,
        lat,
        isReserved,
      ]),
    ).toEqual([
      ['1', 'bicycle', 40, false],
      ['2', 'scooter_standing', 40.2, true],
      ['3', 'pedal_bicycle', 40.1, false],
      ['4', 'other', 40.1, false],
    ])
    expect(snapshot?.stations).toEqual([
      {
        stationId: 's',
        name: 'Station',
        lon: -83.1,
        lat: 40.2,
        capacity: 12,
        vehiclesAvailable: 3,
        docksAvailable: 9,
        isRenting: true,
      },
    ])
  })

  it('reads a snapshot from files of 1.0 with numeric flags, and bicycles without a motor by default', () => {
    const bikes = v2({
      bikes: [
        { bike_id: 'bike_1', name: '0700', lon: -122.6, lat: 45.5, is_reserved: 0, is_disabled: 1 },
        { bike_id: 'bike_2', lon: -122.6, lat: 45.5, vehicle_type: 'scooter' },
      ],
    })
    expect(readSnapshot({ free_bike_status: bikes })?.vehicles).toMatchObject([
      {
        vehicleType: 'pedal_bicycle',
        isReserved: false,
        isDisabled: true,
        battery: Number.NaN,
        lastReported: Number.NaN,
      },
      { vehicleType: 'scooter', isDisabled: false },
    ])
    expect(
      readSnapshot({ free_bike_status: bikes }, { vehicle_type: 'moped' })?.vehicles[0]?.vehicleType,
    ).toBe('moped')
    expect(readSnapshot({ station_information: v2({ stations: [] }) })).toBeNull()
  })

  it('excludes records that violate the standard, with a finding for each', () => {
    const { records, other } = read(
      'vehicle_status',
      v3({
        vehicles: [
          { vehicle_id: 'ok', lat: 1, lon: 2, is_reserved: false, is_disabled: false },
          null,
          { lat: 1, lon: 2 },
          { vehicle_id: 'ok', lat: 1, lon: 2 },
          { vehicle_id: 'b', lat: 91, lon: 2 },
          { vehicle_id: 'c', lat: 0, lon: 0 },
          { vehicle_id: 'd' },
          { vehicle_id: 'e', lat: 1, lon: 2, is_reserved: 'maybe' },
        ],
      }),
    )
    expect(other).toMatchObject({ vehicles: [{ vehicleId: 'ok' }] })
    expect(records.findings.map(({ recordId, field }) => [recordId, field])).toEqual([
      ['1', 'vehicles[1]'],
      ['2', 'vehicles[2].vehicle_id'],
      ['ok', 'vehicles[3].vehicle_id'],
      ['b', 'vehicles[4].lat'],
      ['c', 'vehicles[5].lat'],
      ['d', 'vehicles[6].lat'],
      ['e', 'vehicles[7].is_reserved'],
    ])
    expect(records.findings.every(({ kind, reason }) => kind === 'schema' && reason.endsWith('.'))).toBe(true)
  })

  it('a snapshot has the time of receipt if its own time is in the future', () => {
    const result = read('vehicle_status', { last_updated: received / 1000 + 4000, data: { vehicles: [] } })
    expect(result.records.findings).toMatchObject([{ kind: 'clock_skew', field: 'last_updated' }])
    expect(result.other).toMatchObject({ at: received })
    expect(read('vehicle_status', { data: { vehicles: [] } }).other).toMatchObject({
      at: received,
      lastUpdated: null,
    })
  })
})

test('The GBFS adapter reads geofencing zones with their first rule', () => {
  const geometry = { type: 'MultiPolygon', coordinates: [] }
  const zones = v3({
    geofencing_zones: {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry,
          properties: {
            name: [{ text: 'Park', language: 'en' }],
            rules: [
              { ride_start_allowed: false, ride_end_allowed: true, maximum_speed_kph: 10 },
              { ride_start_allowed: true },
            ],
          },
        },
        { type: 'Feature', geometry, properties: {} },
        { type: 'Feature', properties: {} },
      ],
    },
  })
  const { records, other } = read('geofencing_zones', zones)
  expect(other).toMatchObject({
    zones: [
      {
        properties: {
          name: 'Park',
          ride_start_allowed: false,
          ride_end_allowed: true,
          maximum_speed_kph: 10,
        },
      },
      { properties: { name: 'Zone 2' } },
    ],
  })
  expect(records.findings).toHaveLength(1)
})

describe('a body of another kind', () => {
  it.each([
    ['a web page', '<html>', /web page/],
    ['nothing', '', /empty/],
    ['half of it', '{"data":{"vehicles":[', /ends too early/],
    ['text', 'no', /not JSON/],
    ['a list', '[]', /not an object/],
    ['other JSON', '{"a":1}', /no “data”/],
    ['no list', '{"data":{}}', /no list of bikes/],
    ['an object for a list', '{"data":{"vehicles":{}}}', /no list/],
  ])('%s is refused with a message', (_, body, words) =>
    expect(() => read('vehicle_status', body)).toThrow(words),
  )

  it('a body of another kind never causes an unexpected error', () => {
    const value = fc.jsonValue({ maxDepth: 5 })
    const entry = fc.dictionary(
      fc.constantFrom(
        'vehicle_id',
        'bike_id',
        'station_id',
        'lat',
        'lon',
        'is_reserved',
        'name',
        'geometry',
        'properties',
        'vehicle_type_id',
        'form_factor',
        'url',
        'versions',
        'feeds',
        'system_id',
      ),
      value,
    )
    const data = fc.dictionary(
      fc.constantFrom(
        'vehicles',
        'bikes',
        'stations',
        'vehicle_types',
        'geofencing_zones',
        'feeds',
        'datasets',
        'en',
        '__proto__',
      ),
      fc.oneof(
        value,
        fc.array(entry),
        fc.record({ features: fc.array(entry) }),
        fc.record({ feeds: fc.array(entry) }),
      ),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(
          'discovery',
          'vehicle_status',
          'free_bike_status',
          'vehicle_types',
          'station_information',
          'station_status',
          'geofencing_zones',
          'system_alerts',
        ),
        fc.record({ last_updated: value, data: fc.oneof(data, value) }),
        (stream, body) => {
          const compose = (): void => {
            const { other } = read(stream, body)
            if (isGbfsPart(other)) composeSnapshot(makeFeed(), { [other.kind]: other })
          }
          expect(catchError(compose)).toSatisfy(isRefused)
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 200) },
    )
  })

  it('reads a compressed body', () => {
    expect(
      gbfs.read(makeFeed(), 'vehicle_status', gzipSync(toBytes(v3({ vehicles: [] }))), received).other,
    ).toMatchObject({ kind: 'vehicles' })
    expect(() =>
      gbfs.read(
        makeFeed(),
        'vehicle_status',
        gzipSync(toBytes(v3({ vehicles: [] }))).subarray(0, 20),
        received,
      ),
    ).toThrow(/gzip/)
  })
})

const fixtures = path.resolve('../shared/standards/schemas/gbfs/testFixtures')
const portland = path.resolve('../shared/data/portland/gbfs')
if (!fs.existsSync(fixtures) || !fs.existsSync(portland))
  console.warn('Skipped: official GBFS fixtures or the files of Portland, which are not at ../shared')

describe.skipIf(!fs.existsSync(fixtures))(
  'the official fixtures (skipped where ../shared/standards is absent)',
  () => {
    const files = fs.existsSync(fixtures)
      ? fs
          .readdirSync(fixtures)
          .flatMap((version) =>
            fs.readdirSync(path.join(fixtures, version)).map((name) => [version, name] as const),
          )
      : []
    it('finds all 38 official fixtures', () => expect(files).toHaveLength(38))
    it.each(files)('%s %s is read without a finding', (version, name) => {
      const endpoint = name.replace('.json', '')
      const result = read(
        endpoint === 'gbfs' || endpoint === 'manifest' ? 'discovery' : endpoint,
        fs.readFileSync(path.join(fixtures, version, name), 'utf8'),
        makeFeed({ system_id: 'example_berlin' }),
      )
      expect(result.records.findings).toEqual([])
      expect(result.next ?? '').toMatch(
        endpoint === 'manifest' ? /^https:\/\/berlin\.example\.com\/gbfs\/(2|3)/ : /^$/,
      )
      const list = isGbfsPart(result.other) ? Object.values(result.other).find(Array.isArray) : undefined
      // Files that are not parsed are stored for the proxy; parsed ones have content.
      expect(
        endpoint === 'manifest' ||
          (list ? list.length > 0 : isGbfsPart(result.other) && result.other.kind === 'unparsed'),
      ).toBe(true)
    })
  },
)

describe.skipIf(!fs.existsSync(portland))(
  'the files of Portland, GBFS 1.0 (skipped where ../shared/data is absent)',
  () => {
    it('the files of Portland, GBFS 1.0 contain 154 stations and 261 bicycles', () => {
      const snapshot = readSnapshot(
        Object.fromEntries(
          ['free_bike_status', 'station_information', 'station_status'].map((name) => [
            name,
            fs.readFileSync(path.join(portland, `${name}.json`), 'utf8'),
          ]),
        ),
      )
      expect([snapshot?.vehicles.length, snapshot?.stations.length, snapshot?.at]).toEqual([
        261, 154, 1_575_936_034_000,
      ])
      expect(new Set(snapshot?.vehicles.map(({ vehicleType }) => vehicleType))).toEqual(
        new Set(['pedal_bicycle']),
      )
      expect(snapshot?.stations.find(({ stationId }) => stationId === 'hub_1512')).toMatchObject({
        name: 'SW 10th at Harvey Milk',
        vehiclesAvailable: 5,
        docksAvailable: 12,
        isRenting: true,
      })
    })
  },
)
