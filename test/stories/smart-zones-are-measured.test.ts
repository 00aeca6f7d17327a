// Sensors push CDS events, from which sessions, occupancy and the CDS feeds are derived.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCdsToken } from '#contract/cds-tokens.ts'
import {
  getCurbActivity,
  getCurbMetricsByShape,
  getCurbMetricsByTime,
  listCurbViolations,
  listCurbZoneSessions,
  queryCurbMetrics,
} from '#contract/curb-sessions.ts'
import { createFeed, makeAgencyToken } from '#contract/feeds.ts'
import { hourMs, minuteMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { facts, sql } from '#server/stores/sql.ts'
import { insertRegion } from '../store-region.ts'
import { call, openTestApp, request, type SignedIn, type TestApp } from '../app.ts'
import { whenCurbIsDerived } from '../curb-zones.ts'
import { makePeople, type TestCity } from '../city.ts'
import { openEvents } from '../open-events.ts'
import { addRules } from '../curb/add-rules.ts'
import { type MadeZone, makeZones } from '../curb/make-zones.ts'

const region_id = 'smart'
/** 08:00 in the region, two days ago. */
const eightAm = (() => {
  const day = new Date(Date.now() - 2 * 24 * hourMs)
  day.setUTCHours(8, 0, 0, 0)
  return day.getTime()
})()
const day = new Date(eightAm).toISOString().slice(0, 10)

let app: TestApp
let city: TestCity
let zones: MadeZone[]
let areaId = ''
let pushToken = ''
let feedId = ''

const [sensorA, sensorB] = [randomUUID(), randomUUID()]
const makeEvent = (type: string, at: number, overrides: object = {}) => ({
  event_id: randomUUID(),
  event_type: type,
  event_time: at,
  event_publication_time: at + 1000,
  data_source_type: 'in_ground',
  data_source_device_id: sensorA,
  curb_zone_id: zones[0]?.zoneId,
  ...overrides,
})

const push = (body: unknown, token = pushToken, headers: Record<string, string> = {}) =>
  request(app, {
    method: 'POST',
    url: `/cds/events/${region_id}/events/event`,
    headers: { authorization: `Bearer ${token}`, ...headers },
    body,
  })

const getCds = (path: string, token: string, accept: string) =>
  request(app, {
    method: 'GET',
    url: `/cds/${path}`,
    headers: { authorization: `Bearer ${token}`, ...(accept ? { accept } : {}) },
  })

const getAdmin = (): SignedIn => city.admin

beforeAll(async () => {
  app = await openTestApp()
  city = await makePeople(app)
  const organization_id = city.organizations.alder
  await insertRegion(app.state, { organization_id, region_id, lat: 41, lon: -72 })
  ;({ zones, areaId } = await makeZones(app.state, region_id, { lon: -72, lat: 41, capacities: [2, 4] }))
  const feed = await call(app, getAdmin(), createFeed, {
    params: { region_id },
    body: { kind: 'cds_push', version: '1.1', name: 'Sensors' },
  })
  feedId = feed.feedId
  pushToken = (await call(app, getAdmin(), makeAgencyToken, { params: { region_id, feed_id: feedId } })).token
})
afterAll(() => app.close())

test('events are pushed with a token, individually or in bulk, each with its result', async () => {
  expect((await push([], 'cds_nobody-has-this-token-at-all')).statusCode).toBe(401)
  expect(
    (
      await push([makeEvent('park_start', eightAm)], pushToken, {
        accept: 'application/vnd.cds+json;version=9',
      })
    ).statusCode,
  ).toBe(406)
  const report = makeEvent('scheduled_report', eightAm - 10 * minuteMs, { sensor_status_is_online: true })
  // Space of zone 1: 08:10 to 08:40, by a car with a plate; the end comes first, and twice.
  const car = { curb_space_id: 'space-1', vehicle_type: 'car', vehicle_license_plate: 'ABC 123' }
  const session = randomUUID()
  const end = makeEvent('park_end', eightAm + 40 * minuteMs, {
    ...car,
    event_session_id: session,
    actual_cost: 150,
  })
  const start = makeEvent('park_start', eightAm + 10 * minuteMs, { ...car, event_session_id: session })
  const broken = {
    ...makeEvent('park_start', eightAm),
    event_time: 'soon',
    vehicle_license_plate: 'SECRET 1',
  }
  const response = await push([report, end, broken])
  expect(response.statusCode).toBe(201)
  expect(response.headers['content-type']).toBe('application/vnd.cds+json;version=1.1')
  expect(response.json()).toMatchObject({
    success: 2,
    total: 3,
    failures: [{ error: 'bad_param', error_details: ['event_time'] }],
  })
  expect((await push([end])).statusCode).toBe(201)
  // A van blocks the bike lane in zone 1 from 08:30 to 09:30. The sensor is off from 10:00 to 11:45.
  const van = { vehicle_type: 'van', event_purpose: 'delivery', event_session_id: randomUUID() }
  const events = [
    start,
    makeEvent('park_start', eightAm + 30 * minuteMs, { ...van, vehicle_blocked_lane_types: ['bike_lane'] }),
    makeEvent('park_end', eightAm + 90 * minuteMs, van),
    makeEvent('vehicle_violation_start', eightAm + 35 * minuteMs, {
      enforcement: { violations: [{ violation_code: 'NP' }] },
    }),
    makeEvent('comms_lost', eightAm + 120 * minuteMs),
    makeEvent('comms_restored', eightAm + 225 * minuteMs),
    // Another sensor in zone 2 has an end before its start.
    makeEvent('park_end', eightAm + 5 * minuteMs, {
      event_session_id: 'x',
      data_source_device_id: sensorB,
      curb_zone_id: zones[1]?.zoneId,
    }),
    makeEvent('park_start', eightAm + 6 * minuteMs, {
      event_session_id: 'x',
      data_source_device_id: sensorB,
      curb_zone_id: zones[1]?.zoneId,
    }),
    // A van is there now.
    makeEvent('park_start', Date.now() - 5 * minuteMs, { curb_space_id: 'space-2' }),
  ]
  expect((await push(events)).json()).toMatchObject({ success: events.length, failures: [] })
  expect((await push({ ...makeEvent('park_end', eightAm), event_id: undefined })).statusCode).toBe(400)
  await whenCurbIsDerived(app)
})

test('sessions and occupancy of an hour equal a count by hand', async () => {
  const measures = [
    'sessions',
    'dwell_mean',
    'dwell_median',
    'occupancy',
    'turnover',
    'double_parked',
    'unpermitted',
    'revenue',
    'problems',
  ] as const
  const { period, coverage, findings, newest_event } = await call(app, city.viewer, queryCurbMetrics, {
    params: { region_id },
    body: {
      measures: [...measures],
      dimensions: ['hour_of_day'],
      start_date: day,
      end_date: day,
      zones: [zones[0]?.zoneId ?? ''],
    },
  })
  const getValuesOf = (key: string) => period.rows.find(({ keys }) => keys[0] === key)?.values
  // 8:00: 30 minutes and 30 minutes of two spaces; 9:00: 30 minutes of two spaces.
  expect(getValuesOf('8')).toEqual([2, 2700, 2700, 0.5, 1, 1, 1, 150, 0])
  expect(getValuesOf('9')).toEqual([0, null, null, 0.25, 0, 0, 0, 0, 0])
  // Offline for most of the hour: unknown, not vacant.
  expect(getValuesOf('10')?.[3]).toBeNull()
  expect(getValuesOf('12')?.[3]).toBe(0)
  expect(period.totals[0]).toBe(2)
  expect(coverage).toMatchObject({ measured_zones: 1, zones: 2 })
  expect(findings).toEqual([])
  expect(newest_event).not.toBeNull()
  const byZone = await call(app, city.viewer, queryCurbMetrics, {
    params: { region_id },
    body: { measures: ['sessions', 'problems'], dimensions: ['zone'], start_date: day, end_date: day },
  })
  expect(new Map(byZone.period.rows.map(({ keys, values }) => [keys[0], values]))).toEqual(
    new Map([
      [zones[0]?.zoneId, [2, 0]],
      [zones[1]?.zoneId, [1, 1]],
    ]),
  )
  expect(byZone.findings).toEqual([{ problem: 'ends_before_start', count: 1 }])
  const byArea = await call(app, city.viewer, queryCurbMetrics, {
    params: { region_id },
    body: { measures: ['sessions'], dimensions: ['area', 'vehicle_type'], start_date: day, end_date: day },
  })
  expect(byArea.period.rows).toEqual(
    expect.arrayContaining([
      { keys: [areaId, 'car'], values: [1] },
      { keys: [areaId, 'van'], values: [1] },
    ]),
  )
})

test('figures by time and by shape equal those of the dashboard', async () => {
  const query = { start_date: day, end_date: day }
  const byTime = await call(app, city.viewer, getCurbMetricsByTime, {
    params: { region_id },
    query: { ...query, time_grain: 'hour_of_day', curb_zone_id: zones[0]?.zoneId ?? '' },
  })
  expect(byTime.items.find(({ time }) => time === '8')?.values).toMatchObject({
    sessions: 2,
    dwell_median: 2700,
    occupancy: 0.5,
  })
  const byShape = await call(app, city.viewer, getCurbMetricsByShape, { params: { region_id }, query })
  expect(new Map(byShape.items.map(({ curb_zone_id: id, values }) => [id, values.sessions]))).toEqual(
    new Map([
      [zones[0]?.zoneId, 2],
      [zones[1]?.zoneId, 1],
    ]),
  )
  expect(byShape.items.every(({ shape_uuid: id }) => id !== null)).toBe(true)
})

test('zones are shown live, and their day as sessions without plates', async () => {
  const activity = await call(app, city.viewer, getCurbActivity, { params: { region_id } })
  const first = activity.zones.find(({ curb_zone_id }) => curb_zone_id === zones[0]?.zoneId)
  expect(first).toMatchObject({
    capacity: 2,
    occupied: 1,
    free: 1,
    unknown: 0,
    source: 'sensor',
    name: 'Zone 1',
  })
  // Its sensor has not been heard of for two days.
  const second = activity.zones.find(({ curb_zone_id }) => curb_zone_id === zones[1]?.zoneId)
  expect(second).toMatchObject({ capacity: 4, occupied: 0, free: 0, unknown: 4 })
  const { items } = await call(app, city.viewer, listCurbZoneSessions, {
    params: { region_id, curb_zone_id: zones[0]?.zoneId ?? '' },
    query: { date: day },
  })
  expect(items.map(({ vehicle_type, double_parked }) => [vehicle_type, double_parked])).toEqual([
    ['car', false],
    ['van', true],
  ])
  const stored = await app.facts.rows<{ vehicle: string }>(
    systemScope,
    sql`select distinct vehicle from ${facts('curb_events')} where vehicle != ''`,
  )
  expect(stored).toEqual([{ vehicle: expect.stringMatching(/^[\w-]{22}$/) }])
  expect(JSON.stringify(items)).not.toContain('ABC')
})

test('CDS Events and Metrics are read with their own tokens', async () => {
  const makeToken = async (access: 'events' | 'metrics') =>
    (await call(app, getAdmin(), makeCdsToken, { params: { region_id }, body: { name: access, access } }))
      .token
  const [events, metrics] = [await makeToken('events'), await makeToken('metrics')]
  const eventHour = `events/${region_id}/events/events?event_time=${new Date(eightAm).toISOString().slice(0, 13)}`
  expect((await getCds(eventHour, metrics, '')).statusCode).toBe(403)
  const list = await getCds(eventHour, events, 'application/vnd.cds+json;version=1.1')
  expect(list.statusCode).toBe(200)
  expect(list.json().data.events).toHaveLength(6)
  expect(list.body).not.toContain('ABC')
  const status = await getCds(
    `events/${region_id}/events/status?curb_zone_id=${zones[0]?.zoneId}`,
    events,
    '',
  )
  expect(status.json().data.status).toEqual([
    expect.objectContaining({ data_source_device_id: sensorA, sensor_status_is_online: true }),
  ])
  const csv = 'application/vnd.cds+csv;version=1.1'
  const span = `start_time=${eightAm}&end_time=${eightAm + 4 * hourMs}`
  const aggregates = `metrics/${region_id}/metrics/aggregates?curb_place_type=zone&curb_place_id=${zones[0]?.zoneId}&${span}`
  expect((await getCds(aggregates, metrics, 'application/json')).statusCode).toBe(406)
  expect((await getCds(aggregates, 'cdsr_nobody-has-this-token-at-all', csv)).statusCode).toBe(401)
  const found = await getCds(aggregates, metrics, csv)
  expect(found.headers['content-type']).toBe(csv)
  const rows = found.body.trim().split('\r\n')
  expect(rows[0]).toBe('curb_place_type,curb_place_id,metric_type,date,hour,value')
  const zone = zones[0]?.zoneId
  expect(rows).toContain(`zone,${zone},total_sessions,${day},8,2`)
  expect(rows).toContain(`zone,${zone},occupancy_percent,${day},8,50`)
  expect(rows).toContain(`zone,${zone},average_dwell_time,${day},8,2700`)
  expect(rows).toContain(`zone,${zone},total_sessions,${day},10,-1`)
  // By space: the car that was in it. An unknown space has no occupancy.
  const ofSpaces = await getCds(
    `metrics/${region_id}/metrics/aggregates?curb_place_type=space&curb_place_id=space-1&${span}`,
    metrics,
    csv,
  )
  const bySpace = ofSpaces.body.trim().split('\r\n')
  expect(bySpace).toContain(`space,space-1,total_sessions,${day},8,1`)
  expect(bySpace).toContain(`space,space-1,average_dwell_time,${day},8,1800`)
  expect(bySpace.filter((row) => row.includes(`occupancy_percent,${day},8`))).toEqual([])
  const ofObjects = await getCds(
    `metrics/${region_id}/metrics/aggregates?curb_place_type=object&curb_place_id=object-1&${span}`,
    metrics,
    csv,
  )
  expect([ofObjects.statusCode, ofObjects.body.trim().split('\r\n')]).toEqual([200, [rows[0]]])
  const sessions = await getCds(`metrics/${region_id}/metrics/sessions?${span}`, metrics, csv)
  expect(sessions.body.trim().split('\r\n')).toHaveLength(4)
  expect((await getCds(`metrics/${region_id}/metrics/other`, metrics, csv)).statusCode).toBe(501)
})

test('zones are closed while their rules forbid stopping; long stays and early returns are counted and shown', async () => {
  const [first, second] = zones
  await addRules(app.state, region_id, first?.zoneId ?? '', [
    {
      priority: 1,
      rules: [{ activity: 'no stopping' }],
      time_spans: [{ time_of_day_start: '09:00', time_of_day_end: '09:30' }],
    },
    { priority: 9, rules: [{ activity: 'parking', max_stay: 45, max_stay_unit: 'minute' }] },
  ])
  await addRules(app.state, region_id, second?.zoneId ?? '', [
    { priority: 9, rules: [{ activity: 'parking', no_return: 1, no_return_unit: 'hour' }] },
  ])
  const car = {
    vehicle_type: 'car',
    vehicle_license_plate: 'XYZ 7',
    data_source_device_id: sensorB,
    curb_zone_id: second?.zoneId,
  }
  const stays = [
    [0, 20],
    [50, 60],
    [125, 130],
  ].flatMap(([from = 0, until = 0]) => {
    const session = { ...car, event_session_id: randomUUID() }
    return [
      makeEvent('park_start', eightAm + from * minuteMs, session),
      makeEvent('park_end', eightAm + until * minuteMs, session),
    ]
  })
  expect((await push(stays)).json()).toMatchObject({ success: stays.length })
  await whenCurbIsDerived(app)
  const readMetrics = async (zone: string | undefined, source: 'measured' | 'sensor') => {
    const { period } = await call(app, city.viewer, queryCurbMetrics, {
      params: { region_id },
      body: {
        measures: ['sessions', 'occupancy', 'turnover', 'overstays', 'early_returns'],
        dimensions: ['hour_of_day'],
        start_date: day,
        end_date: day,
        source,
        zones: [zone ?? ''],
      },
    })
    return new Map(period.rows.map(({ keys, values }) => [keys[0], values]))
  }
  const hours = await readMetrics(first?.zoneId, 'measured')
  // The van stays from 8:30 to 9:30; stopping is forbidden from 9:00 to 9:30, so one space-hour is open and free.
  expect([hours.get('8'), hours.get('9')]).toEqual([
    [2, 0.5, 1, 1, 0],
    [0, 0, 0, 0, 0],
  ])
  // The car returns after 30 minutes, and then after 65.
  const returns = await readMetrics(second?.zoneId, 'sensor')
  expect([...returns.values()].map(([, , , overstays, early]) => [overstays, early])).toEqual(
    [...returns.keys()].map((hour_) => [0, hour_ === '8' ? 1 : 0]),
  )
  const { items } = await call(app, city.viewer, listCurbViolations, {
    params: { region_id },
    query: { start_date: day, end_date: day },
  })
  expect(
    items.map(({ kind, curb_zone_id, vehicle_type, limit_minutes, measured_seconds }) => [
      kind,
      curb_zone_id,
      vehicle_type,
      limit_minutes,
      measured_seconds / 60,
    ]),
  ).toEqual([
    ['no_return', second?.zoneId, 'car', 60, 30],
    ['max_stay', first?.zoneId, 'van', 45, 60],
  ])
  expect(items[0]?.previous_session_id).not.toBeNull()
})

test('changes of zones are streamed as they happen', async () => {
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
  const stream = await openEvents(`${url}/v2/regions/${region_id}/curb/activity/stream`, {
    authorization: `Bearer ${city.viewer.token}`,
  })
  await stream.until('hello', 1)
  const busy = await call(app, city.viewer, getCurbActivity, { params: { region_id } })
  expect(busy.zones.find(({ curb_zone_id: id }) => id === zones[0]?.zoneId)).toMatchObject({ occupied: 1 })
  await push([makeEvent('park_start', Date.now() - minuteMs, { curb_space_id: 'space-3' })])
  await whenCurbIsDerived(app)
  const [changed] = await stream.until('zones', 1)
  expect(changed?.data).toEqual([
    expect.objectContaining({ curb_zone_id: zones[0]?.zoneId, occupied: 2, free: 0 }),
  ])
  stream.close()
})
