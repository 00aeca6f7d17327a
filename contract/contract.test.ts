import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { endpoint, isMedia } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { SpatialQuestion } from './evaluation.ts'
import { TripMapping } from './imports.ts'
import { FeedChange, feedDefaults, feedKinds, feedVersions, NewFeed } from './feeds.ts'
import { toQualityBits, toQualityFlags, qualityFlagNames, qualityFlags } from './mobility.ts'
import { pageQuery, pageSchema } from './page.ts'
import {
  dayNumber,
  dayFromNumber,
  defaultPeriod,
  LocalDay,
  localDay,
  startOfMonth,
  getWeekday,
} from './period.ts'
import { GeometryShape, isArea, getPolygons, Position } from './place.ts'
import { problems, getProblemText } from './problem-text.ts'
import { NewRegion, Zone } from './regions.ts'
import { distanceUnit, toDistanceUnit } from './units.ts'

const anyDay = fc.integer({ min: -100_000, max: 100_000 })

describe('days', () => {
  it('days correspond one to one to day numbers, with weekdays every seven days', () => {
    fc.assert(
      fc.property(anyDay, (number) => {
        const day = dayFromNumber(number)
        expect(dayNumber(day)).toBe(number)
        expect(LocalDay.parse(day)).toBe(day)
        expect(getWeekday(day)).toBe(new Date(Date.parse(day)).getUTCDay() || 7)
        expect(getWeekday(dayFromNumber(number + 1))).toBe((getWeekday(day) % 7) + 1)
      }),
    )
    expect(getWeekday('2026-03-02')).toBe(1)
  })

  it.each([
    '2023-02-29',
    '2026-13-01',
    '2026-1-1',
    '26-01-01',
    '2026-01-32',
    '',
    '2026-01-01T00:00',
    ' 2026-01-01',
  ])('days refuse %j', (text) => expect(LocalDay.safeParse(text).success).toBe(false))

  it('each day is the start of its month or has one in an earlier month', () => {
    expect([
      startOfMonth('2026-03-31'),
      startOfMonth('2026-03-31', 1),
      startOfMonth('2026-01-15', 1),
      startOfMonth('2026-03-31', 15),
    ]).toEqual(['2026-03-01', '2026-02-01', '2025-12-01', '2024-12-01'])
    expect(defaultPeriod('2026-03-05')).toEqual({ start_date: '2025-10-01', end_date: '2026-03-05' })
  })

  it('days depend on the time zone of an instant', () => {
    const at = new Date('2026-03-01T03:30:00Z')
    expect([
      localDay(at, 'America/Los_Angeles'),
      localDay(at, 'UTC'),
      localDay(at, 'Pacific/Kiritimati'),
    ]).toEqual(['2026-02-28', '2026-03-01', '2026-03-01'])
  })
})

describe('quality flags', () => {
  it('each quality flag has a bit of its own within sixteen', () => {
    const bits = Object.values(qualityFlags).map(({ bit }) => bit)
    expect(new Set(bits).size).toBe(bits.length)
    expect(Math.max(...bits)).toBeLessThan(16)
  })
  it('quality flags survive the conversion to bits and back', () => {
    fc.assert(
      fc.property(fc.subarray(qualityFlagNames), (flags) => {
        expect(toQualityFlags(toQualityBits(flags))).toEqual(flags)
      }),
    )
  })
})

describe('places', () => {
  it('coordinates of a place are within the range of degrees', () => {
    expect(Position.safeParse([180, -90]).success).toBe(true)
    for (const invalid of [[181, 0], [0, 91], [0], [0, 0, 0], ['0', 0], [Number.NaN, 0]])
      expect(Position.safeParse(invalid).success).toBe(false)
  })
  it('a place is an area if its geometry has polygons', () => {
    const ring: [number, number][] = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ]
    expect(getPolygons({ type: 'Polygon', coordinates: [ring] })).toEqual([[ring]])
    expect(getPolygons({ type: 'MultiPolygon', coordinates: [[ring], [ring]] })).toHaveLength(2)
    expect([
      isArea({ type: 'Point', coordinates: [0, 0] }),
      isArea({ type: 'Polygon', coordinates: [ring] }),
    ]).toEqual([false, true])
    expect(GeometryShape.safeParse({ type: 'GeometryCollection', geometries: [] }).success).toBe(false)
  })
})

test('Distances are in the unit of the region', () => {
  expect([
    toDistanceUnit(1609.344, false),
    toDistanceUnit(1500, true),
    distanceUnit(true),
    distanceUnit(false),
  ]).toEqual([1, 1.5, 'km', 'mi'])
})

test('Pages have limits and default sizes', () => {
  const ask = z.object(pageQuery(10, 50))
  expect(ask.parse({})).toEqual({ page: 1, size: 10 })
  expect(ask.parse({ page: '3', size: '50' })).toEqual({ page: 3, size: 50 })
  for (const invalid of [{ page: 0 }, { page: 1.5 }, { size: 51 }, { size: 'all' }])
    expect(ask.safeParse(invalid).success).toBe(false)
  expect(pageSchema(z.string()).parse({ items: ['a'], total: 1, page: 1, size: 10 }).items).toEqual(['a'])
})

describe('problems', () => {
  it('each problem has a status and a text. Data in preparation is unavailable temporarily', () => {
    const { being_prepared: prepared, ...others } = problems
    const all = Object.values(others)
    expect(new Set(all.map(({ status }) => status)).size).toBe(all.length)
    expect(prepared).toEqual(others.service_unavailable)
    for (const { status, text } of all)
      expect([status >= 400 && status < 600, text.length > 0]).toEqual([true, true])
  })
  it('problems show the detail from the server, else the default text of the status', () => {
    expect([
      getProblemText(404, 'No such shape'),
      getProblemText(404, undefined),
      getProblemText(418, undefined),
      getProblemText(404, ''),
    ]).toEqual(['No such shape', 'Not Found', 'API Error', 'Not Found'])
  })
})

describe('endpoints', () => {
  it('endpoints have distinct paths', () => {
    const paths = [...endpoints.values()].flatMap(({ method, path, prefixes }) =>
      prefixes.map((prefix) => `${method} ${prefix}${path}`),
    )
    expect(new Set(paths).size).toBe(paths.length)
    expect(endpoints.size).toBeGreaterThan(30)
  })
  it.each([...endpoints])(
    '%s declares the parameters of its path, and no body where none is sent',
    (_name, { path, method, request, summary, prefixes }) => {
      expect(Object.keys(request.params?.shape ?? {}).sort()).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
      )
      expect(request.body === undefined || method === 'POST' || method === 'PATCH').toBe(true)
      expect(summary).toMatch(/^\S.*[^.]$/)
      expect(prefixes.length).toBeGreaterThan(0)
    },
  )
  it('each endpoint is under /v2 and /apipy unless it declares another prefix', () => {
    const declaration = {
      route: 'GET /x',
      permission: 'public',
      summary: 's',
      request: {},
      response: { media: 'text/csv' },
    } as const
    expect(endpoint(declaration).prefixes).toEqual(['/v2', '/apipy'])
    expect(endpoint({ ...declaration, prefixes: ['/internal'] }).prefixes).toEqual(['/internal'])
    expect([
      isMedia(declaration.response),
      isMedia(z.object({ media: z.string() })),
      isMedia(undefined),
    ]).toEqual([true, false, false])
  })
})

describe('requests', () => {
  const id = 'aaaaaaaa-0000-4000-8000-000000000001'
  const request = { region_id: 'r', start_date: '2026-01-01', end_date: '2026-01-31', shape_layer_uuid: id }
  it('requests for maps have default filters', () => {
    expect(SpatialQuestion.parse(request)).toEqual({
      ...request,
      operators: [],
      vehicle_type: null,
      days: [],
      hour_filters: [0, 23],
      buffer: 0,
      agg: 'total_count',
      direction: 'orig',
      shape_filter: null,
    })
  })
  it.each([
    { days: [8] },
    { hour_filters: [24, 24] },
    { hour_filters: [0, 24] },
    { hour_filters: [-1, 5] },
    { vehicle_type: 'boat' },
    { buffer: -1 },
    { direction: 'sideways' },
    { start_date: '2026-02-30' },
    { shape_layer_uuid: 'x' },
  ])('requests of maps refuse %j', (invalid) =>
    expect(SpatialQuestion.safeParse({ ...request, ...invalid }).success).toBe(false),
  )
  it('requests validate time zones and region ids', () => {
    expect([
      Zone.safeParse('America/New_York').success,
      Zone.safeParse('Mars/Olympus').success,
      Zone.safeParse('').success,
    ]).toEqual([true, false, false])
    const region = { regionId: 'a-1', text: ' City ', lat: 0, lon: 0, timezone: 'UTC' }
    expect(NewRegion.parse(region)).toMatchObject({ text: 'City' })
    for (const invalid of [
      { regionId: 'A' },
      { regionId: '-a' },
      { regionId: 'a'.repeat(41) },
      { regionId: 'a\tb' },
      { lat: 86 },
      { text: ' ' },
      { currencyCode: 'usd' },
    ])
      expect(NewRegion.safeParse({ ...region, ...invalid }).success).toBe(false)
  })
  it('requests for mappings refuse unknown columns', () => {
    expect(TripMapping.parse({ columns: {} })).toEqual({
      columns: {},
      distance_unit: 'm',
      duration_unit: 's',
      date_order: null,
      operator: null,
      vehicle_type: null,
    })
    for (const invalid of [
      { columns: { colour: 'x' } },
      { columns: {}, operator: 'A b' },
      { columns: {}, distance_unit: 'yd' },
    ])
      expect(TripMapping.safeParse(invalid).success).toBe(false)
  })
})

describe('feeds', () => {
  const feed = { kind: 'mds_provider', version: '2.0', name: 'Feed', operator: 'swift' }
  it('a feed is created enabled and without secrets', () => {
    expect(NewFeed.parse(feed)).toEqual({
      ...feed,
      url: null,
      auth: { kind: 'none' },
      settings: {},
      enabled: true,
    })
    expect(FeedChange.parse({ name: 'Other' })).toEqual({ name: 'Other' })
  })
  it.each([
    { url: 'ftp://operator.example' },
    { kind: 'gtfs' },
    { intervalSeconds: 5 },
    { settings: { backfillHours: -1 } },
    { settings: { notes: 'x'.repeat(8000) } },
    { operator: 'A b' },
    { auth: { kind: 'bearer', token: 'two words' } },
    { auth: { kind: 'headers', headers: [{ name: 'Host', value: 'x' }] } },
    { auth: { kind: 'headers', headers: [{ name: 'x-key', value: 'a\r\nb: c' }] } },
    { auth: { kind: 'query', query: [] } },
  ])('feeds refuse %j', (invalid) => expect(NewFeed.safeParse({ ...feed, ...invalid }).success).toBe(false))
  it('each kind of feed has versions and a default interval', () => {
    for (const kind of feedKinds)
      expect([feedVersions[kind].length > 0, feedDefaults[kind].intervalSeconds >= 10]).toEqual([true, true])
  })
})
