import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import {
  getDataHealth,
  getMdsStatus,
  type HealthFigure,
  listHealthFigures,
  listHealthRows,
  listHealthSpans,
} from '#contract/health.ts'
import { healthFigureNames } from '#contract/health-figures.ts'
import { addDays, dayMs, hourMs, localDay } from '#contract/period.ts'
import { getDayStart } from '#server/regions/local-hours.ts'
import { openHealth } from '#server/health/open-health.ts'
import { systemScope } from '#server/identity/scope.ts'
import { openTestApp, type TestApp } from '../app.ts'
import { makeRegions, regions, type TestCity } from '../city.ts'
import { addFeed, makeEvent, storeRecords, openTestHealth, type TestHealth } from '../open-health.ts'

let app: TestApp
let city: TestCity
let health: TestHealth
let swift: string
const now = Math.floor(Date.now() / hourMs) * hourMs
const params = { region_id: 'alder' }

const makeBatch = (operator: string, feedId: string, received: number) => ({
  organizationId: city.organizations.alder,
  regionId: 'alder',
  operator,
  feedId,
  received,
})

beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  health = await openTestHealth(app)
  swift = await addFeed(app, 'alder', 'swift')
  const vehicles = [1, 2, 3].map((vehicle) => ({
    operator: 'swift',
    deviceId: makeEvent('swift', vehicle, now).deviceId,
    vehicleId: `S-${vehicle}`,
    vehicleType: 'scooter_standing' as const,
    mode: 'micromobility',
    propulsionTypes: ['electric'],
    attributes: '{}',
  }))
  // Nine weeks with a trip each hour from 6:00 to 16:00; the day before yesterday has half as many, and one ends twice.
  const zone = regions.alder.timezone
  const today = localDay(new Date(now), zone)
  for (let back = 62; back >= 0; back--) {
    const start = getDayStart(addDays(today, -back), zone) + 6 * hourMs
    const trips = Array.from({ length: back === 2 ? 5 : 10 }, (_, index) => ({
      at: start + index * hourMs,
      tripId: randomUUID(),
    })).filter(({ at }) => at < now - hourMs)
    const events = trips.flatMap(({ at, tripId }) => [
      makeEvent('swift', 1, at, { state: 'on_trip', types: ['trip_start'], tripIds: [tripId] }),
      makeEvent('swift', 1, at + 600_000, { tripIds: [tripId] }),
    ])
    if (back === 2)
      events.push(makeEvent('swift', 1, start + 4 * hourMs + 660_000, { tripIds: [randomUUID()] }))
    const reports = trips.slice(1).map(({ at, tripId }) => ({
      operator: 'swift',
      tripId,
      deviceId: vehicles[0]!.deviceId,
      startTime: at,
      endTime: at + 600_000,
      startLon: -72.5,
      startLat: 41.49,
      endLon: -72.5,
      endLat: 41.49,
      distance: 1500,
      duration: 600,
      published: 0,
      attributes: '',
    }))
    const findings =
      back === 2
        ? [
            {
              kind: 'schema' as const,
              recordId: 'e-7',
              field: 'location.lat',
              reason: 'It lies outside of the earth.',
              raw: '{"lat":123}',
            },
            {
              kind: 'clock_skew' as const,
              recordId: 'e-8',
              field: 'timestamp',
              reason: 'timestamp is 90 s after its receipt.',
              raw: '{}',
            },
          ]
        : []
    await health.fleetIngest.store({
      ...makeBatch('swift', swift, Math.min(now, start + 11 * hourMs)),
      stream: 'events',
      windowStart: start,
      records: {
        vehicles: back === 62 ? vehicles : [],
        events,
        trips: reports,
        telemetry: [],
        stops: [],
        findings,
      },
    })
  }
  // Vehicles 2 and 4 are silent, vehicle 3 was removed, in an hour that has a trip whatever the time of the test.
  const before = getDayStart(addDays(today, -3), zone) + 7 * hourMs
  await storeRecords(health.fleetIngest, makeBatch('swift', swift, now - 29 * hourMs), {
    events: [
      makeEvent('swift', 2, before),
      makeEvent('swift', 3, before, { state: 'removed', types: ['rebalance_pick_up'] }),
      makeEvent('swift', 4, now - 30 * hourMs),
    ],
  })
})
afterAll(async () => {
  await health.close()
  await app.close()
})

const readFigures = async (query: Record<string, string> = {}): Promise<Record<string, HealthFigure>> => {
  const response = await health.callAs(city.viewer, getDataHealth, { params, query })
  return Object.fromEntries(
    (response.operators.find(({ operator }) => operator === 'swift')?.figures ?? []).map((figure) => [
      figure.figure,
      figure,
    ]),
  )
}

describe('figures of data health', () => {
  it('are listed for each operator with all definitions', async () => {
    const found = await readFigures()
    expect(Object.keys(found)).toEqual(healthFigureNames)
    const { items } = await health.callAs(city.viewer, listHealthFigures)
    expect(items.map(({ figure }) => figure)).toEqual(healthFigureNames)
    expect(found['illegal_transitions']).toMatchObject({ count: 1 })
    expect(found['orphan_trips']?.parts).toMatchObject({
      ends_without_start: 1,
      without_end: 0,
      without_events: 0,
    })
    // The first trip of each day of the period; today's only after its morning.
    expect(found['orphan_trips']?.parts['without_report']).toBeGreaterThanOrEqual(5)
    expect(found['silent_vehicles']).toMatchObject({ value: 2, of: 3, parts: { lost: 1 } })
    expect(found['schema_violations']).toMatchObject({ count: 1 })
    expect(found['clock_skew']).toMatchObject({ count: 1 })
    expect(found['late_arrival']?.value).toBeGreaterThan((3 * hourMs) / 1000)
    expect(found['agreement']?.parts).toMatchObject({ differs: 0 })
  })

  it('compare volume and hours with the same weekdays', async () => {
    const found = await readFigures()
    expect(found['volume']?.value).toBeGreaterThan(80)
    expect(found['volume']?.value).toBeLessThan(100)
    expect(found['gaps']?.value).toBe(5)
    const { items } = await health.callAs(city.viewer, listHealthSpans, {
      params: { ...params, figure: 'gaps' },
      query: { operator: 'swift' },
    })
    expect(items).toHaveLength(5)
    expect(items[0]).toMatchObject({ operator: 'swift', part: 'gap', device_id: null })
    const { items: days } = await health.callAs(city.viewer, listHealthSpans, {
      params: { ...params, figure: 'volume' },
      query: {},
    })
    expect(days).toHaveLength(7)
  })

  it('list the rows behind them: ids, times, vehicles and reasons', async () => {
    const rows = async (
      figure:
        | 'illegal_transitions'
        | 'orphan_trips'
        | 'silent_vehicles'
        | 'schema_violations'
        | 'clock_skew'
        | 'late_arrival'
        | 'impossible_speeds'
        | 'agreement',
      query = {},
    ) => health.callAs(city.viewer, listHealthRows, { params: { ...params, figure }, query })
    expect((await rows('illegal_transitions')).items).toEqual([
      expect.objectContaining({
        vehicle_id: 'S-1',
        operator: 'swift',
        feed_id: swift,
        reason: 'trip_end cannot lead from available to available.',
        part: 'illegal',
      }),
    ])
    expect((await rows('silent_vehicles')).items).toEqual([
      expect.objectContaining({
        vehicle_id: null,
        part: 'silent',
        reason: expect.stringMatching(
          /^No contact for 3\d(\.\d)? h; the last state was available\.$/,
        ) as string,
      }),
      expect.objectContaining({
        vehicle_id: 'S-2',
        part: 'lost',
        reason: expect.stringContaining('counts as lost') as string,
      }),
    ])
    expect((await rows('schema_violations')).items).toEqual([
      expect.objectContaining({
        id: 'e-7',
        reason: 'location.lat: It lies outside of the earth.',
        raw: '{"lat":123}',
      }),
    ])
    expect((await rows('clock_skew')).items).toHaveLength(1)
    expect((await rows('impossible_speeds')).total).toBe(0)
    const orphans = await rows('orphan_trips')
    const found = (await readFigures())['orphan_trips']
    expect(orphans.total).toBe(found?.count)
    expect((await rows('orphan_trips', { part: 'ends_without_start' })).total).toBe(1)
    const second = await rows('orphan_trips', { page: 2, size: 3 })
    expect([second.items, second.total]).toEqual([orphans.items.slice(3, 6), orphans.total])
    expect((await rows('orphan_trips', { page: 40, size: 3 })).total).toBe(orphans.total)
    expect((await rows('agreement')).total).toBe(0)
    expect((await rows('late_arrival')).total).toBeGreaterThan(0)
  })

  it('can be downloaded as a file without formulas', async () => {
    await storeRecords(health.fleetIngest, makeBatch('swift', swift, now - 2 * dayMs), {
      findings: [{ kind: 'schema', recordId: '=1+1', field: '', reason: 'No object.', raw: '"=1+1"' }],
    })
    const { text } = await health.send(city.viewer, listHealthRows, {
      params: { ...params, figure: 'schema_violations' },
      query: { format: 'csv' },
    })
    expect(text.split('\r\n')[0]).toBe(
      'time,operator,feed_id,id,vehicle_id,device_id,trip_id,part,value,reason,raw',
    )
    expect(text).toContain("'=1+1")
    expect(text).toContain('"{""lat"":123}"')
  })

  it('can be filtered by feed', async () => {
    expect((await readFigures({ feed_id: swift }))['illegal_transitions']).toMatchObject({ count: 1 })
    const other = await readFigures({ feed_id: randomUUID() })
    expect([
      other['illegal_transitions']?.of,
      other['schema_violations']?.of,
      other['orphan_trips']?.of,
    ]).toEqual([0, 0, 0])
  })

  it('are counted again after late records, when the reader is idle', async () => {
    const before = (await readFigures())['illegal_transitions']?.count
    await storeRecords(health.fleetIngest, makeBatch('swift', swift, Date.now()), {
      events: [makeEvent('swift', 4, now - 20 * hourMs, { state: 'removed', types: ['provider_drop_off'] })],
    })
    const evaluateAndCount = async (at: number) => {
      await health.evaluateRules(new Date(at))
      return (await readFigures())['illegal_transitions']?.count
    }
    expect(await evaluateAndCount(Date.now() + 5 * 60_000)).toBe((before ?? 0) + 1)
    // A repeated record retains its time of receipt, and is found anyway.
    await storeRecords(health.fleetIngest, makeBatch('swift', swift, now - 20 * hourMs), {
      events: [makeEvent('swift', 4, now - 10 * hourMs, { state: 'elsewhere', types: ['trip_start'] })],
    })
    expect(await evaluateAndCount(Date.now() + 40 * 60_000)).toBe((before ?? 0) + 2)
    await app.state.as(systemScope).deleteFrom('health_day').execute()
    expect((await readFigures())['illegal_transitions']?.count).toBe((before ?? 0) + 2)
  })
})

describe('feeds in data health', () => {
  it('have a state with the reason', async () => {
    const off = await addFeed(app, 'alder', 'drift', { enabled: false })
    const pushed = await addFeed(app, 'alder', 'drift', { kind: 'mds_agency', promised_minutes: 5 })
    const { items } = await health.callAs(city.viewer, getMdsStatus, { params })
    const findItem = (id: string) => items.find(({ feed_id }) => feed_id === id)
    expect(findItem(off)).toMatchObject({
      state: 'paused',
      operator: 'drift',
      version: '2.0',
      kind: 'mds_provider',
    })
    expect(findItem(pushed)).toMatchObject({ state: 'never', last_success: null, newest_record: null })
    await storeRecords(health.fleetIngest, makeBatch('drift', pushed, Date.now()), {
      events: [makeEvent('drift', 9, Date.now() - 60_000)],
    })
    expect(
      (await health.callAs(city.viewer, getMdsStatus, { params })).items.find(
        ({ feed_id }) => feed_id === pushed,
      ),
    ).toMatchObject({ state: 'ok', reason: 'The newest record is 1 min old; the limit is 5 min.' })
    await app.state
      .as(systemScope)
      .updateTable('feed')
      .set({ problem: "The operator's server failed (500).", problem_since: new Date() })
      .where('feed_id', '=', swift)
      .execute()
    expect(
      (await health.callAs(city.viewer, getMdsStatus, { params })).items.find(
        ({ feed_id }) => feed_id === swift,
      ),
    ).toMatchObject({ state: 'failing', reason: "The operator's server failed (500)." })
    await app.state
      .as(systemScope)
      .updateTable('feed')
      .set({ problem: null, problem_since: null })
      .where('feed_id', '=', swift)
      .execute()
  })
})

describe('data health', () => {
  it('is not visible to other organizations', async () => {
    for (const [endpoint, more] of [
      [getDataHealth, {}],
      [getMdsStatus, {}],
      [listHealthRows, { figure: 'silent_vehicles' }],
      [listHealthSpans, { figure: 'gaps' }],
    ] as const) {
      const input = { params: { ...params, ...more } } as never
      expect((await health.send(null, endpoint, input)).status).toBe(401)
      expect((await health.send(city.stranger, endpoint, input)).status).toBe(404)
      expect((await health.send(city.viewer, endpoint, input)).status).toBe(200)
    }
    expect(
      (await health.callAs(city.stranger, getDataHealth, { params: { region_id: 'cedar' } })).operators,
    ).toEqual([])
  })
  it('audits reads of single vehicles, but not of spans', async () => {
    health.done.length = 0
    await health.callAs(city.viewer, listHealthRows, { params: { ...params, figure: 'silent_vehicles' } })
    expect(health.done[0]?.endpoint.personal).toBe(true)
    await health.callAs(city.viewer, listHealthSpans, { params: { ...params, figure: 'freshness' } })
    expect(health.done[1]?.endpoint.personal).toBeUndefined()
  })
  it('rejects unknown figures and periods that are too long', async () => {
    expect(
      (
        await health.send(city.viewer, getDataHealth, {
          params,
          query: { start_date: '2026-01-01', end_date: '2026-06-01' },
        })
      ).status,
    ).toBe(422)
    expect(
      (await health.send(city.viewer, listHealthRows, { params: { ...params, figure: 'gaps' as never } }))
        .status,
    ).toBe(422)
  })
})

test('an evaluation that fails in one region continues with the next region', async () => {
  const lines: string[] = []
  const broken = openHealth({
    state: app.state,
    facts: { ...app.facts, rows: () => Promise.reject(new Error('The fact store is away')) },
    notifications: app.notifications,
    log: (line, details) => lines.push(`${line} ${JSON.stringify(details)}`),
  })
  await broken.evaluateRules(new Date(Date.now() + 2 * hourMs))
  expect(lines).toEqual([expect.stringContaining('The fact store is away')])
})
