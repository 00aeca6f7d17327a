import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { revokeMetricsToken, listMetricsTokens } from '#server/reporting/mds-metrics/metrics-tokens.ts'
import {
  larkId,
  layerId,
  type MetricsReply,
  type MetricsTown,
  openMetricsTown,
  regionId,
  toRows,
  type TownInterval,
  type Zone,
  zones,
} from '../metrics-town.ts'

const day = '2026-03-04'
const atClock = (clock: string): number => Date.parse(`${day}T${clock}:00Z`)
const clock = { at: Date.parse('2026-04-01T00:00:00Z') }
let town: MetricsTown
beforeAll(async () => {
  town = await openMetricsTown(clock)
})
afterAll(() => town.close())
beforeEach(async () => {
  await town.clear()
  await town.setMinimum(0)
})

/** A state change of the worked examples. Before its first change a vehicle is in the state of `before`. */
type Reported = readonly [vehicle: number, at: string, state: string, zone: 'A' | 'B']
function makeIntervals(reported: readonly Reported[], before: Record<number, string> = {}): TownInterval[] {
  const [begin, end] = [atClock('00:00'), atClock('23:00')]
  const all: Reported[] = [
    ...Object.entries(before).map(([n, state]): Reported => [Number(n), '00:00', state, 'A']),
    ...reported,
  ]
  return [...new Set(all.map(([vehicle]) => vehicle))].flatMap((vehicle) => {
    const own = all.filter(([id]) => id === vehicle).toSorted((a, b) => a[1].localeCompare(b[1]))
    return own.map(([, at, state, zone], index) => ({
      operator: 'lark',
      device: vehicle,
      type: 'scooter_standing',
      state,
      from: Math.max(begin, atClock(at)),
      to: own[index + 1] ? atClock(own[index + 1]![1]) : end,
      zone,
    }))
  })
}

async function requestRows(
  body: Record<string, unknown>,
  version = '2.0',
): Promise<Record<string, string | number>[]> {
  const reply = await town.call('POST', body, { version })
  expect([reply.statusCode, reply.body.slice(0, 300)]).toEqual([200, expect.anything()])
  return toRows(reply.json<MetricsReply>())
}
/** Reads the values of measures in a zone, in the interval that begins at a time. */
async function readValues(measures: readonly string[], at: string, zone: 'A' | 'B', interval = 'PT15M') {
  const rows = await requestRows({
    measures,
    interval,
    start_date: `${day}T${at}`,
    dimensions: ['geography_id'],
  })
  const row = rows.find((row) => row['geography_id'] === zones[zone])
  return measures.map((measure) => row?.[measure] as number)
}
const readValue = async (measure: string, at: string, zone: 'A' | 'B', interval?: string): Promise<number> =>
  (await readValues([measure], at, zone, interval))[0] as number
const closeTo = (value: number): unknown => expect.closeTo(value, 3)

describe('metrics of the standard’s worked examples', () => {
  it('have snapshots of available vehicles (M1)', async () => {
    await town.intervals(
      makeIntervals(
        [
          [3, '10:01', 'reserved', 'A'],
          [2, '10:04', 'available', 'A'],
          [3, '10:06', 'available', 'A'],
          [1, '10:07', 'non_operational', 'A'],
          [2, '10:10', 'reserved', 'A'],
        ],
        { 1: 'available', 2: 'non_operational', 3: 'available' },
      ),
    )
    const measures = ['avg', 'min', 'max'].map((kind) => `vehicles.available.${kind}`)
    expect(await readValues(measures, '10:00', 'A')).toEqual([closeTo(23 / 15), 1, 3])
  })

  const reservations: Reported[] = [
    [1, '09:59', 'reserved', 'A'],
    [1, '10:04', 'on_trip', 'A'],
    [2, '10:06', 'available', 'A'],
    [1, '10:10', 'available', 'B'],
    [1, '10:18', 'reserved', 'B'],
    [2, '10:20', 'reserved', 'A'],
  ]
  it('have durations by the zone where the state began (M2); the printed 180 is 240', async () => {
    await town.intervals(makeIntervals(reservations))
    const measures = ['reserved', 'trip', 'available'].map((state) => `vehicles.${state}.duration.sum`)
    expect((await readValues(measures, '09:45', 'A'))[0]).toBe(60)
    expect(await readValues(measures, '10:00', 'A')).toEqual([240, 360, 540])
    expect((await readValues(measures, '10:00', 'B'))[2]).toBe(300)
  })

  it('have counts of events (M3)', async () => {
    const types: [number, string, string, 'A' | 'B'][] = [
      [1, '09:59', 'reservation_start', 'A'],
      [1, '10:04', 'trip_start', 'A'],
      [2, '10:06', 'provider_drop_off', 'A'],
      [1, '10:10', 'trip_end', 'B'],
      [1, '10:18', 'reservation_start', 'B'],
      [2, '10:20', 'reservation_start', 'A'],
    ]
    await town.events(
      types.map(([device, at, type, zone]) => ({
        operator: 'lark',
        device,
        time: atClock(at),
        types: [type],
        zone,
      })),
    )
    const measures = ['reserve', 'trip_start', 'provider_drop_off', 'trip_end'].map(
      (type) => `events.${type}.count`,
    )
    const rows = await requestRows({
      measures,
      interval: 'PT15M',
      start_date: `${day}T09:45`,
      end_date: `${day}T10:15`,
      dimensions: ['geography_id'],
    })
    const countIn = (zone: 'A' | 'B') =>
      rows
        .filter((row) => row['geography_id'] === zones[zone])
        .map((row) => measures.map((name) => row[name]))
    expect(countIn('A')).toEqual([
      [1, 0, 0, 0],
      [0, 1, 1, 0],
      [1, 0, 0, 0],
    ])
    expect(countIn('B')).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 1],
      [1, 0, 0, 0],
    ])
  })

  it('have trips by start and by end (M4)', async () => {
    const trips: [string, string, number, number][] = [
      ['10:00', '10:30', 1680, 987],
      ['10:15', '10:30', 900, 321],
      ['10:15', '10:30', 720, 365],
      ['10:15', '10:45', 1080, 420],
      ['10:30', '10:30', 600, 264],
    ]
    await town.trips(
      trips.map(([start, end, duration, distance], device) => ({
        operator: 'lark',
        device,
        type: 'bicycle',
        start: atClock(start),
        end: atClock(end),
        from: 'A' as const,
        to: 'B' as const,
        duration,
        distance,
      })),
    )
    const listNames = (end: string): string[] => [
      `trips.${end}.count`,
      `trips.${end}.duration.avg`,
      `trips.${end}_duration.sum`,
      `trips.${end}.distance.avg`,
      `trips.${end}_distance.sum`,
      `trips.${end}.distance.med`,
      `trips.${end}.distance.std`,
    ]
    const rows = await requestRows({
      measures: [...listNames('start_loc'), ...listNames('end_loc')],
      interval: 'PT15M',
      start_date: `${day}T10:00`,
      end_date: `${day}T10:45`,
      dimensions: ['geography_id'],
    })
    const countIn = (zone: 'A' | 'B', end: string) =>
      rows
        .filter((row) => row['geography_id'] === zones[zone])
        .map((row) => listNames(end).map((name) => Math.round(Number(row[name]) * 100) / 100))
    expect(countIn('A', 'start_loc').slice(0, 3)).toEqual([
      [1, 1680, 1680, 987, 987, 987, 0],
      [3, 900, 2700, 368.67, 1106, 365, 40.5],
      [1, 600, 600, 264, 264, 264, 0],
    ])
    expect(countIn('B', 'end_loc').slice(2)).toEqual([
      [4, 975, 3900, 484.25, 1937, 343, 292.46],
      [1, 1080, 1080, 420, 420, 420, 0],
    ])
  })

  it('have deployed vehicles (M5)', async () => {
    await town.intervals(
      makeIntervals([
        [1, '09:48', 'available', 'A'],
        [2, '09:50', 'removed', 'A'],
        [3, '09:59', 'reserved', 'A'],
        [2, '10:04', 'available', 'A'],
        [3, '10:06', 'available', 'A'],
        [1, '10:07', 'non_operational', 'A'],
        [1, '10:10', 'removed', 'A'],
        [2, '10:10', 'reserved', 'A'],
        [3, '10:12', 'removed', 'A'],
        [2, '10:16', 'on_trip', 'A'],
      ]),
    )
    const measures = ['avg', 'min', 'max'].map((kind) => `dockless.deployed.${kind}`)
    expect(await readValues(measures, '10:00', 'A')).toEqual([expect.closeTo(2.2, 5), 1, 3])
  })

  it('have the smallest and largest of hourly averages (M6)', async () => {
    // Vehicle minutes of each hour.
    const minutes = [132, 246, 222, 108]
    await town.intervals(
      minutes.flatMap((total, hour) =>
        Array.from({ length: Math.ceil(total / 60) }, (_, n) => {
          const from = atClock('06:00') + hour * hourMs
          const length = Math.min(60, total - n * 60)
          return {
            operator: 'lark',
            device: hour * 10 + n,
            type: 'bicycle',
            state: 'available',
            from,
            to: from + length * 60_000,
            zone: 'A' as const,
          }
        }),
      ),
    )
    const measures = ['dockless.deployed.avg.min', 'dockless.deployed.avg.max']
    expect(await readValues(measures, '06:00', 'A', 'PT4H')).toEqual([1.8, 4.1])
    expect(await readValue('dockless.deployed.avg', '06:00', 'A', 'PT1H')).toBe(2.2)
    // Hours without vehicles count as zero.
    expect(await readValue('dockless.deployed.avg.min', '05:00', 'A', 'PT4H')).toBe(0)
    expect(
      (
        await town.call('POST', {
          measures: ['dockless.deployed.avg.min'],
          interval: 'PT1H',
          start_date: `${day}T06:00`,
        })
      ).statusCode,
    ).toBe(400)
  })

  it('have active and inactive vehicles and their recomputed shares (M7, M8, M10)', async () => {
    const reported: Reported[] = [
      [1, '10:04', 'on_trip', 'A'],
      [2, '10:05', 'on_trip', 'A'],
      [3, '10:06', 'available', 'B'],
      [2, '10:07', 'elsewhere', 'A'],
      [1, '10:10', 'available', 'B'],
      [2, '10:14', 'on_trip', 'A'],
      [3, '10:16', 'reserved', 'B'],
    ]
    await town.intervals(makeIntervals(reported))
    const measures = ['active.count', 'inactive.count', 'utilization.active.percent'].map(
      (name) => `dockless.${name}`,
    )
    expect((await readValues(measures, '10:00', 'A')).slice(0, 2)).toEqual([2, 0])
    expect((await readValues(measures, '10:00', 'B')).slice(1)).toEqual([1, 0])
    // With the inputs as printed in the standard: two active vehicles and one inactive in A.
    await town.intervals(makeIntervals([[4, '09:00', 'available', 'A']]))
    expect(await readValue('dockless.utilization.active.percent', '10:00', 'A')).toBeCloseTo(2 / 3, 3)
  })

  it('have the idle share and trips per vehicle (M9, M11)', async () => {
    const parts: [string, number][] = [
      ['available', 3200],
      ['non_operational', 1800],
      ['reserved', 60],
      ['on_trip', 120],
    ]
    await town.intervals(
      parts.map(([state, seconds], device) => ({
        operator: 'lark',
        device,
        type: 'bicycle',
        state,
        from: atClock('10:00'),
        to: atClock('10:00') + seconds * 1000,
        zone: 'A' as const,
      })),
    )
    expect(await readValue('dockless.utilization.idle.percent', '10:00', 'A', 'PT1H')).toBeCloseTo(0.9768, 4)
    await town.clear()
    await town.intervals(
      [1, 2].map((device) => ({
        operator: 'lark',
        device,
        type: 'bicycle',
        state: 'available',
        from: atClock('10:00'),
        to: atClock('11:00'),
        zone: 'A' as const,
      })),
    )
    await town.trips(
      Array.from({ length: 20 }, (_, n) => ({
        operator: 'lark',
        device: n,
        type: 'bicycle',
        start: atClock('10:10'),
        end: atClock('10:20'),
        from: 'A' as const,
        to: 'A' as const,
        duration: 600,
        distance: 1000,
      })),
    )
    expect(await readValue('dockless.utilization.trips_per_vehicle.avg', '10:00', 'A', 'PT1H')).toBe(10)
  })
})

const makeAvailable = (count: number, overrides: Partial<TownInterval> = {}): TownInterval[] =>
  Array.from({ length: count }, (_, n) => ({
    operator: 'lark',
    device: n + 1,
    type: 'bicycle',
    state: 'available',
    from: atClock('10:00'),
    to: atClock('11:00'),
    zone: 'A' as Zone,
    ...overrides,
  }))

describe('small numbers', () => {
  it('are -1 below k, including zero, as are figures derived from them (M12)', async () => {
    await town.setMinimum(10)
    const counts = [0, 1, 9, 10, 11]
    await town.intervals(makeAvailable(30, { from: atClock('00:00'), to: atClock('23:00') }))
    await town.trips(
      counts.flatMap((count, hour) =>
        Array.from({ length: count }, (_, n) => ({
          operator: 'lark',
          device: n + 1,
          type: 'bicycle',
          start: atClock(`1${hour}:05`),
          end: atClock(`1${hour}:25`),
          from: 'A' as const,
          to: 'A' as const,
          duration: 1200,
          distance: 500,
        })),
      ),
    )
    const measures = [
      'trips.start_loc.count',
      'trips.end_loc.duration.avg',
      'trips.start_loc.distance.sum',
      'dockless.utilization.trips_per_vehicle.avg',
    ]
    const reply = await town.call('POST', {
      measures,
      interval: 'PT1H',
      start_date: `${day}T10:00`,
      end_date: `${day}T14:00`,
    })
    const found = reply.json<MetricsReply>()
    expect(found.query.k_value).toBe(10)
    expect(found.rows.map((row) => row.slice(1))).toEqual([
      [-1, -1, -1, -1],
      [-1, -1, -1, -1],
      [-1, -1, -1, -1],
      [10, 1200, 5000, 0.3333],
      [11, 1200, 5500, 0.3667],
    ])
  })

  it('cannot be derived from others, because the smallest of those is hidden too', async () => {
    await town.setMinimum(10)
    await town.intervals([
      ...makeAvailable(30),
      ...makeAvailable(15, { device: 0, state: 'reserved' }).map((each, n) => ({ ...each, device: 100 + n })),
      ...makeAvailable(3, { state: 'on_trip' }).map((each, n) => ({ ...each, device: 200 + n })),
    ])
    const states = ['available', 'reserved', 'on_trip', 'stopped'].map((state) => `vehicles.${state}.avg`)
    const [row] = await requestRows({
      measures: [
        ...states,
        'dockless.deployed.avg',
        'dockless.utilization.idle.percent',
        'dockless.active.count',
        'vehicles.available.min',
      ],
      interval: 'PT30M',
      start_date: `${day}T10:00`,
    })
    expect(Object.values(row ?? {}).slice(1)).toEqual([30, -1, -1, -1, 48, -1, -1, 30])
  })
})

describe('a metrics request', () => {
  beforeEach(async () => {
    await town.intervals([
      ...makeAvailable(3),
      ...makeAvailable(2, { type: 'scooter_seated' }).map((interval, n) => ({
        ...interval,
        device: 50 + n,
        zone: 'B' as const,
      })),
      ...makeAvailable(4, { operator: 'heron', type: 'pedal_bicycle', zone: null }),
    ])
  })
  const question = { measures: ['vehicles.available.max'], interval: 'PT1H', start_date: `${day}T10:00` }
  const by = async (dimensions: string[], filters: unknown[] = [], version = '2.0') =>
    (await requestRows({ ...question, dimensions, filters }, version)).map((row) =>
      Object.values(row).slice(1),
    )

  it('is split by provider, vehicle type and geography', async () => {
    expect(await by([])).toEqual([[9]])
    expect(await by(['provider_id'])).toEqual([
      [larkId, 5],
      ['heron', 4],
    ])
    expect(await by(['vehicle_type'])).toEqual([
      ['bicycle', 7],
      ['scooter_seated', 2],
    ])
    expect(await by(['vehicle_type'], [], '1.2')).toEqual([
      ['bicycle', 7],
      ['scooter', 2],
    ])
    expect(await by(['geography_id', 'vehicle_type'])).toEqual([
      [zones.A, 'bicycle', 3],
      [zones.B, 'bicycle', 0],
      [zones.A, 'scooter_seated', 0],
      [zones.B, 'scooter_seated', 2],
    ])
  })
  it('is filtered by provider, vehicle type and geography', async () => {
    expect(await by([], [{ name: 'provider_id', values: [larkId] }])).toEqual([[5]])
    expect(await by([], [{ name: 'vehicle_type', values: ['scooter_seated'] }])).toEqual([[2]])
    expect(await by([], [{ name: 'geography_type', values: ['zones'] }])).toEqual([[5]])
    expect(await by([], [{ name: 'geography_id', values: [layerId] }])).toEqual([[5]])
    expect(await by(['geography_id'], [{ name: 'geography_id', values: [zones.B] }])).toEqual([[zones.B, 2]])
  })
  it('is answered in each version', async () => {
    for (const version of ['2.0', '1.2']) {
      const reply = await town.call('GET', undefined, { version })
      expect(reply.headers['content-type']).toBe(`application/vnd.mds+json;version=${version}`)
      const { metrics, ...more } = reply.json<{
        metrics: { measures: string[]; since: string; intervals: string[] }[]
      }>()
      expect(more).toEqual({
        max_intervals: 2000,
        dimensions: ['provider_id', 'geography_id', 'vehicle_type'],
        filters: ['provider_id', 'geography_id', 'geography_type', 'vehicle_type'],
      })
      expect(metrics[0]?.since).toBe(`${day}T00:00+00`)
      // Every listed name can be requested.
      const all = await town.call(
        'POST',
        { ...question, interval: 'PT2H', measures: metrics[0]?.measures },
        { version },
      )
      expect(all.statusCode).toBe(200)
      expect(all.json<MetricsReply>().rows[0]).toHaveLength(1 + (metrics[0]?.measures.length ?? 0))
    }
    expect((await town.call('GET', undefined, { version: '0.4' })).statusCode).toBe(406)
    expect(listMeasures((await town.call('GET', undefined, { version: '1.2' })).json())).not.toContain(
      'vehicles.stopped.avg',
    )
  })
  it('gets times in its time zone, and numbers where numbers are defined', async () => {
    const start = atClock('10:00')
    const at = async (body: object) => (await requestRows({ ...question, ...body }))[0]?.['interval_start']
    expect(await at({ start_date: `${day}T15:30`, timezone: 'Asia/Kolkata' })).toBe(`${day}T15:30+05:30`)
    expect(await at({ start_date: `${day}T05:00-05`, timezone: 'America/New_York' })).toBe(`${day}T05:00-05`)
    expect(await at({ start_date: `${day}T05:00-05` })).toBe(`${day}T10:00+00`)
    expect(await at({ start_date: start })).toBe(start)
  })
})
const listMeasures = (found: { metrics: { measures: string[] }[] }): string[] =>
  found.metrics[0]?.measures ?? []

describe('a token of the metrics', () => {
  it('reads all operators, or only its own', async () => {
    await town.intervals([...makeAvailable(3), ...makeAvailable(4, { operator: 'heron' })])
    const question = {
      measures: ['dockless.deployed.max'],
      interval: 'PT1H',
      start_date: `${day}T10:00`,
      dimensions: ['provider_id'],
    }
    const as = async (token: string) =>
      (await town.call('POST', question, { token })).json<MetricsReply>().rows.map((row) => row.slice(1))
    expect(await as(town.tokens.all)).toEqual([
      [larkId, 3],
      ['heron', 4],
    ])
    expect(await as(town.tokens.lark)).toEqual([[larkId, 3]])
    expect(await as(town.tokens.heron)).toEqual([['heron', 4]])
    const foreign = await town.call(
      'POST',
      { ...question, filters: [{ name: 'provider_id', values: ['heron'] }] },
      { token: town.tokens.lark },
    )
    expect([foreign.statusCode, foreign.json()]).toMatchObject([403, { error: 'forbidden' }])
  })
  it('is rejected without a reason if unknown, of another region, or revoked', async () => {
    for (const token of [null, 'mdsm_unknownunknownunknown']) {
      const reply = await town.call('GET', undefined, { token })
      expect([reply.statusCode, reply.headers['www-authenticate'], reply.json()]).toMatchObject([
        401,
        'Bearer',
        { error: 'unauthorized', error_details: ['Authorization'] },
      ])
    }
    expect((await town.call('GET', undefined, { region: 'elsewhere' })).statusCode).toBe(403)
    expect((await town.call('GET', undefined, { region: 'nowhere' })).statusCode).toBe(403)
    const context = { scope: town.scope, regionId, by: null, at: new Date(clock.at) }
    const last = (await listMetricsTokens(town.state, context)).find(({ operator }) => operator === 'heron')
    expect(last).toMatchObject({ scope: 'metrics:read:provider', hint: town.tokens.heron.slice(-4) })
    await revokeMetricsToken(town.state, context, last?.tokenId ?? '')
    expect((await town.call('GET', undefined, { token: town.tokens.heron })).statusCode).toBe(401)
    expect(
      JSON.stringify(await town.state.library.selectFrom('api_key').selectAll().execute()),
    ).not.toContain(town.tokens.all)
  })
})

describe('an invalid metrics request', () => {
  const good = { measures: ['trips.start_loc.count'], interval: 'P1D', start_date: `${day}T00:00` }
  const expectRefused = async (overrides: Record<string, unknown>) => {
    const reply = await town.call('POST', { ...good, ...overrides })
    const { error, error_description, error_details } = reply.json<Record<string, unknown>>()
    expect([reply.statusCode, error_description, error_details]).toEqual([
      400,
      expect.stringMatching(/.{10}/),
      expect.arrayContaining([expect.any(String)]),
    ])
    return error
  }
  beforeEach(() => town.intervals(makeAvailable(1)))
  it('is rejected for a parameter without meaning', async () => {
    for (const overrides of [
      { interval: 'PT0M' },
      { interval: '1D' },
      { interval: 'P' },
      { interval: 'PT90S' },
      { interval: 'P2Y' },
      { interval: 15 },
      { start_date: '2026-02-30T00:00' },
      { start_date: '2026-03-04' },
      { start_date: atClock('10:00') + 1 },
      { start_date: `${day}T00:00`, end_date: '2026-03-03T00:00' },
      { start_date: `${day}T00:00`, end_date: atClock('10:00') },
      { start_date: '2027-01-01T00:00' },
      { start_date: '2026-03-31T12:00' },
      { start_date: '2019-01-01T00:00', end_date: '2026-01-01T00:00' },
      { start_date: '2025-01-01T00:00' },
      { interval: 'PT1M', end_date: '2026-03-30T00:00' },
      { timezone: 'Mars/Olympus' },
      { timezone: '+05:00' },
      { timezone: 'UTC', start_date: atClock('10:00') },
      { measures: [] },
      { measures: ['trips.start_loc.mode'] },
      { measures: ['vehicles.flying.avg'] },
      { measures: ['events.constructor.count'] },
      { dimensions: ['color'] },
      { filters: [{ name: 'color', values: ['red'] }] },
      { filters: [{ name: 'provider_id', values: [] }] },
      { filters: [{ name: 'provider_id', values: ['nobody'] }] },
      { filters: [{ name: 'geography_id', values: ['x'] }] },
      { filters: [{ name: 'geography_type', values: ['moon'] }] },
      { filters: [{ name: 'vehicle_type', values: ['hovercraft'] }] },
    ])
      expect([overrides, await expectRefused(overrides)]).toEqual([overrides, 'bad_param'])
  })
  it('is rejected without required parameters', async () => {
    expect(await expectRefused({ interval: undefined })).toBe('missing_param')
    for (const body of ['', '{', '[]', 'null', '"x"'])
      expect((await town.call('POST', body)).statusCode).toBe(400)
  })
  it('gets a response of the standard, whatever it contains', async () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.constantFrom('P1D', 'PT15M', `${day}T10:00`, 'UTC', 'provider_id', 'geography_id'),
    )
    const anyField = fc.oneof(anyText, fc.integer(), fc.array(anyText, { maxLength: 3 }), fc.constant(null))
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          {
            measures: anyField,
            interval: anyField,
            start_date: anyField,
            end_date: anyField,
            timezone: anyField,
            dimensions: anyField,
            filters: anyField,
          },
          { requiredKeys: [] },
        ),
        async (overrides) => {
          const reply = await town.call('POST', { ...good, ...overrides })
          expect([200, 400]).toContain(reply.statusCode)
        },
      ),
      { numRuns: Number(process.env['METRIC_RUNS'] ?? 20) },
    )
    expect(town.logged).toEqual([])
  })
})

const schemas = path.resolve('../shared/standards/schemas/mds/v2.0-openapi')
const load = createRequire(import.meta.url)

describe.skipIf(!fs.existsSync(schemas) || !fs.existsSync('node_modules/ajv'))('the official schema', () => {
  /** Resolves the references of a schema in the OpenAPI document. */
  function resolve(value: unknown, file: string): unknown {
    if (Array.isArray(value)) return value.map((item) => resolve(item, file))
    if (typeof value !== 'object' || value === null) return value
    const fields = value as Record<string, unknown>
    if (typeof fields['$ref'] === 'string') {
      const [name = '', pointer = ''] = fields['$ref'].split('#')
      const target = name ? path.resolve(path.dirname(file), name) : file
      const found = pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((of, key) => (of as Record<string, unknown>)[key], readDocument(target))
      return resolve(found, target)
    }
    return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, resolve(field, file)]))
  }
  const readDocument = (file: string): unknown =>
    (load('yaml') as { parse: (text: string) => unknown }).parse(fs.readFileSync(file, 'utf8'))
  it('accepts the responses', async () => {
    await town.intervals(makeAvailable(3))
    const file = path.join(schemas, 'reference/metrics.yaml')
    const document = resolve(readDocument(file), file) as {
      paths: Record<
        string,
        Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>
      >
    }
    const getSchema = (method: string) =>
      document.paths['/metrics']?.[method]?.responses['200']?.content['application/json']?.schema as {
        properties: { columns: { items: { properties: { column_type: { enum: string[] } } } } }
      }
    const Ajv = load('ajv/dist/2020').default as new (settings: object) => {
      compile: (schema: unknown) => ((value: unknown) => boolean) & { errors?: unknown }
    }
    const getErrors = (schema: unknown, value: unknown): unknown => {
      const check = new Ajv({ strict: false, validateFormats: false, logger: false }).compile(schema)
      return check(value) ? null : check.errors
    }
    expect(getErrors(getSchema('get'), (await town.call('GET')).json())).toBeNull()
    const post = getSchema('post')
    // The text and the example of the standard use `measure`, its schema `metric`.
    post.properties.columns.items.properties.column_type.enum.push('measure')
    const reply = await town.call('POST', {
      measures: ['vehicles.available.avg', 'trips.start_loc.count'],
      interval: 'P1D',
      start_date: `${day}T00:00`,
      end_date: `${day}T00:00`,
      dimensions: ['vehicle_type'],
    })
    expect(getErrors(post, reply.json())).toBeNull()
  })
})
