import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  getBikeshare,
  getBikeshareDownloadUrl,
  getBikeshareStations,
  stationColumnNames,
} from '#contract/bikeshare.ts'
import { getMe } from '#contract/identity.ts'
import { minuteMs } from '#contract/period.ts'
import { createReportSchedule, deleteReportSchedule, getReportPdf } from '#contract/report-schedules.ts'
import { changeOrganization } from '#contract/organizations.ts'
import { systemScope } from '#server/identity/scope.ts'
import { gbfs } from '#server/feeds/adapters/gbfs.ts'
import { GbfsSink } from '#server/feeds/sinks/gbfs-sink.ts'
import type { SinkFeed } from '#server/feeds/sinks/sink-feed.ts'
import { facts as factsOf, sql } from '#server/stores/sql.ts'
import { ExportQuestion } from '#contract/exports.ts'
import { toSelection } from '#server/reporting/exports/check-question.ts'
import { bikeshareStations } from '#server/reporting/exports/tables/bikeshare-stations.ts'
import { insertFeed } from '../store-region.ts'
import { call, openTestApp, readProblem, request, send, type SignedIn, type TestApp } from '../app.ts'
import { makeRegions, sendTrips, type TestCity, addOperators } from '../city.ts'
import { cityTrips, formatCsv, tripMapping } from '../city/trips.ts'
import { addOperatorUser } from '../operators/two-operators.ts'
import { readPdfText } from '../pdf-text.ts'

const params = { region_id: 'alder' }
/** A Monday after the clock change: 06:00 in New York is 10:00 UTC. */
const day = '2026-03-09'
const days = { start_date: day, end_date: day }
const start = Date.parse(`${day}T10:00:00Z`)

let app: TestApp
let city: TestCity
let feed: SinkFeed
let lark: SignedIn
let sink: GbfsSink
const openSink = (): GbfsSink =>
  new GbfsSink({ state: app.state, facts: app.facts, log: () => undefined, onSnapshot: () => undefined })

async function addFeed(operator: string): Promise<SinkFeed> {
  const feedId = await insertFeed(app.state, {
    region_id: 'alder',
    operator,
    kind: 'gbfs',
    version: '3.0',
    url: 'https://feeds.example/gbfs.json',
    enabled: false,
  })
  return {
    feedId,
    organizationId: city.organizations.alder,
    regionId: 'alder',
    operator,
    providerId: '',
    version: '3.0',
    url: 'https://feeds.example/gbfs.json',
    settings: {},
    timezone: 'America/New_York',
    lat: 41.49,
    lon: -72.5,
  }
}

/** Stores a file of the feed as polled at a time. */
async function poll(feed: SinkFeed, stream: string, at: number, data: object): Promise<void> {
  const body = { last_updated: new Date(at).toISOString(), ttl: 60, version: '3.0', data }
  const { other } = gbfs.read(feed, stream, Buffer.from(JSON.stringify(body)), at)
  await sink.store(feed, other, at)
}
const makePier = (at: number, vehicles: number, docks: number, disabled = 0, overrides: object = {}) => ({
  station_id: 'pier',
  num_vehicles_available: vehicles,
  num_docks_available: docks,
  num_vehicles_disabled: disabled,
  is_installed: true,
  is_renting: true,
  is_returning: true,
  last_reported: new Date(at).toISOString(),
  ...overrides,
})
/** Polls every five minutes between two minutes after 06:00, both included. */
async function pollUntil(from: number, until: number, station: (at: number) => object): Promise<void> {
  for (let at = start + from * minuteMs; at <= start + until * minuteMs; at += 5 * minuteMs)
    await poll(feed, 'station_status', at, {
      stations: [station(at), { ...station(at), station_id: 'corral' }],
    })
}

beforeAll(async () => {
  app = await openTestApp(undefined, { PUBLIC_URL: 'https://streets.example' })
  city = await makeRegions(app)
  await addOperators(app, city.admin, ['lark', 'spin'])
  ;({ as: lark } = await addOperatorUser(app, city, 'lark', ['lark']))
  sink = openSink()
  feed = await addFeed('spin')
  await poll(feed, 'station_information', start, {
    stations: [
      { station_id: 'pier', name: [{ text: '=Pier', language: 'en' }], lat: 41.5, lon: -72.5, capacity: 10 },
      // A virtual station without docks is in no report.
      { station_id: 'corral', name: [], lat: 41.51, lon: -72.5, is_virtual_station: true },
    ],
  })
  await pollUntil(0, 15, (at) => makePier(at, 3, 7))
  await pollUntil(20, 45, (at) => makePier(at, 0, 10))
  // The server is restarted, and a poll is read twice.
  sink = openSink()
  await pollUntil(45, 45, (at) => makePier(at, 0, 10))
  await pollUntil(50, 120, (at) => makePier(at, 4, 5, 1))
  // An hour without the feed.
  await pollUntil(180, 200, (at) => makePier(at, 10, 0))
  await pollUntil(205, 240, (at) => makePier(at, 5, 5))
})
afterAll(() => app.close())

const readReport = (query: object = {}, as: SignedIn = city.viewer) =>
  call(app, as, getBikeshareStations, { params, query: { ...days, ...query } })

describe('the station report', () => {
  it('separates empty, full and unknown time, and counts penalties exactly', async () => {
    const {
      stations,
      totals,
      systems,
      parameters,
      days: byDay,
    } = await readReport({ price_per_minute: '0.333' })
    expect(parameters).toEqual({
      timezone: 'America/New_York',
      window_from: '06:00',
      window_until: '22:00',
      tolerance: 10,
      price_per_minute: '0.333',
      currency: 'USD',
      known_minutes: 10,
    })
    const figures = {
      capacity: 10,
      window_minutes: 960,
      // States are known for ten minutes after the last poll, before and after the hour without.
      known_minutes: 200,
      unknown_minutes: 760,
      installed_minutes: 200,
      renting_minutes: 200,
      returning_minutes: 200,
      empty_minutes: 30,
      full_minutes: 25,
      longest_empty_minutes: 30,
      longest_full_minutes: 25,
      empty_or_full_share: 0.275,
      runs_beyond_tolerance: 2,
      minutes_beyond_tolerance: 35,
      // 11.655, which as a binary fraction would be less.
      penalty: '11.66',
      vehicles_disabled_mean: 0.4,
      // Changes in the hour without the feed are unknown.
      starts: 8,
      ends: 5,
      net_flow: -3,
      turnover_per_dock: 0.65,
      coverage: 200 / 960,
    }
    expect(stations).toEqual([
      {
        operator: 'spin',
        feed_id: feed.feedId,
        station_id: 'pier',
        station: '=Pier',
        lon: -72.5,
        lat: 41.5,
        // The record of the last change: records without changes are stored once an hour.
        last_report_age_minutes: 960 - 205,
        ...figures,
      },
    ])
    expect(totals).toEqual({ stations: 1, ...figures })
    expect(systems).toEqual([{ operator: 'spin', feed_id: feed.feedId, flow_source: 'counts' }])
    expect(byDay).toEqual([
      {
        date: day,
        known_minutes: 200,
        empty_minutes: 30,
        full_minutes: 25,
        empty_share: 0.15,
        full_share: 0.125,
      },
    ])
  })

  it('stores changes only, and no row twice', async () => {
    const [row] = await app.facts.rows<{ n: string; spans: string }>(
      systemScope,
      sql`select toString(count()) as n, (select toString(count()) from (select distinct from_time from ${factsOf('station_spans')})) as spans from ${factsOf('station_states')}`,
    )
    // For both stations, five states and one record after an hour without a change.
    expect(row).toEqual({ n: '12', spans: '2' })
  })

  it('uses window and tolerance', async () => {
    const [whole] = (await readReport({ tolerance: 30 })).stations
    expect([whole?.runs_beyond_tolerance, whole?.minutes_beyond_tolerance, whole?.penalty]).toEqual([
      0,
      0,
      null,
    ])
    const [morning] = (await readReport({ window_from: '06:40', window_until: '07:00' })).stations
    expect(morning).toMatchObject({
      window_minutes: 20,
      known_minutes: 20,
      empty_minutes: 10,
      runs_beyond_tolerance: 0,
      starts: 0,
      ends: 5,
    })
  })

  it.each([
    ['2026-03-08', 23],
    ['2025-11-02', 25],
  ])('%s has %d hours', async (change, hours) => {
    const until = Date.parse(`${change}T16:00:00Z`)
    const other = await addFeed(`clock-${hours}`)
    await poll(other, 'station_status', until, { stations: [makePier(until, 1, 1)] })
    const { stations } = await readReport({
      start_date: change,
      end_date: change,
      window_from: '00:00',
      window_until: '24:00',
      operators: `clock-${hours}`,
    })
    expect(stations.map(({ window_minutes, known_minutes }) => [window_minutes, known_minutes])).toEqual([
      [hours * 60, 10],
    ])
  })

  it('is a CSV file too, in which no name is a formula', async () => {
    const { url, file_name } = await call(app, city.viewer, getBikeshareDownloadUrl, {
      params,
      query: { ...days, price_per_minute: '1' },
    })
    expect([new URL(url).origin, file_name]).toEqual([
      'https://streets.example',
      `bikeshare-stations_alder_${day}_${day}.csv`,
    ])
    const response = await request(app, {
      method: 'GET',
      url: url.slice('https://streets.example'.length),
      headers: { authorization: `Bearer ${city.viewer.token}` },
    })
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
    const [head, row, ...rest] = response.body.trimEnd().split('\n')
    expect(head).toBe(stationColumnNames.join(','))
    expect(row).toContain(`spin,${feed.feedId},pier,'=Pier,10,960,200,760,`)
    expect(rest).toEqual([])
  })

  it('describes itself', async () => {
    const metadata = await call(app, city.viewer, getBikeshare, { params })
    expect(metadata.systems[0]).toMatchObject({ operator: 'clock-23' })
    expect(metadata.systems.find(({ operator }) => operator === 'spin')).toEqual({
      operator: 'spin',
      feed_id: feed.feedId,
      stations: 1,
      first_time: new Date(start).toISOString(),
      last_time: new Date(start + 240 * minuteMs).toISOString(),
    })
    expect(metadata.columns.map(({ name }) => name)).toEqual(stationColumnNames)
  })

  it('takes starts and ends from trips if the operator has some', async () => {
    const trip = cityTrips.find(({ measured }) => measured)
    const near = [-72.5003, 41.5] as [number, number]
    const far = [-72.52, 41.49] as [number, number]
    const makeRide = (n: number, hour: number, from: [number, number], to: [number, number]) => ({
      ...trip!,
      id: `ride-${n}`,
      operator: 'spin',
      day,
      hour,
      start: `${day} ${String(hour).padStart(2, '0')}:30:00`,
      end: `${day} ${String(hour).padStart(2, '0')}:40:00`,
      from,
      to,
    })
    const rides = [
      makeRide(1, 7, near, far),
      makeRide(2, 8, far, near),
      makeRide(3, 9, near, near),
      makeRide(4, 4, near, near),
    ]
    await sendTrips(app, city.admin, {
      region_id: 'alder',
      file_name: 'spin.csv',
      bytes: formatCsv(rides),
      mapping: tripMapping,
    })
    const { stations, systems } = await readReport({ operators: 'spin' })
    expect(systems).toMatchObject([{ flow_source: 'trips' }])
    expect(stations).toMatchObject([{ starts: 2, ends: 2, net_flow: 0, turnover_per_dock: 0.2 }])
  })

  it('is a table of exports and monthly zips, by month', async () => {
    const region = { regionId: 'alder', timezone: 'America/New_York' }
    const readRows = async (period: object, operators: string[] = []) => {
      const context = { ...app, health: app.health.dayCounts, scope: systemScope, at: new Date() }
      const selection = toSelection(region, ExportQuestion.parse({ ...period, operators }))
      const found: object[] = []
      for await (const chunk of bikeshareStations.rows(context as never, selection)) found.push(...chunk)
      return found as Record<string, unknown>[]
    }
    const months = await readRows({ start_date: '2026-02-15', end_date: '2026-04-02' })
    const march = { start_date: '2026-03-01', end_date: '2026-03-31' }
    const { stations } = await call(app, city.admin, getBikeshareStations, { params, query: march })
    expect(stations.length).toBeGreaterThan(0)
    expect(months.filter((row) => row['start_date'] === '2026-03-01')).toEqual(
      stations.map((station) => ({ ...station, ...march })),
    )
    // There are no stations before the first poll and after the last one.
    expect(new Set(months.map((row) => row['end_date']))).toEqual(new Set(['2026-03-31']))
    expect((await readRows(march, ['nobody'])).length).toBe(0)
    expect(await readRows({ start_date: '2029-01-01', end_date: '2029-01-31' })).toEqual([])
  })

  it('is sent at intervals as a PDF', async () => {
    const { email } = await call(app, city.admin, getMe)
    const { schedule_id } = await call(app, city.admin, createReportSchedule, {
      params,
      body: { report: 'bikeshare_stations', cadence: 'monthly', day: 1, recipients: [email] },
    })
    const scheduleParams = { ...params, schedule_id }
    const pdf = await send(app, city.admin, getReportPdf, { params: scheduleParams })
    expect(pdf.statusCode).toBe(200)
    const text = readPdfText(pdf.rawPayload)
    for (const part of ['Bikeshare Stations', 'Minutes beyond the tolerance', 'tolerance 10 minutes'])
      expect(text).toContain(part)
    await call(app, city.admin, deleteReportSchedule, { params: scheduleParams })
  })

  it('shows an operator only its own stations', async () => {
    expect((await readReport({}, lark)).stations).toEqual([])
    expect((await call(app, lark, getBikeshare, { params })).systems).toEqual([])
    const response = await send(app, city.stranger, getBikeshareStations, { params, query: days })
    expect(readProblem(response).status).toBe(404)
  })

  it.each([
    [{ start_date: day, end_date: '2026-03-01' }, 'The period ends before it starts'],
    [{ start_date: '2025-01-01', end_date: day }, '366 days at most'],
    [{ start_date: '2099-01-01', end_date: '2099-01-02' }, 'in the future'],
    [{ ...days, window_from: '22:00', window_until: '06:00' }, 'The window ends before it begins'],
    [{ ...days, window_from: '6' }, 'HH:MM'],
    [{ ...days, price_per_minute: '-1' }, 'A price is a decimal number'],
  ])('refuses %o', async (query, why) => {
    const response = await send(app, city.viewer, getBikeshareStations, { params, query })
    expect(readProblem(response)).toMatchObject({ status: 422, detail: expect.stringContaining(why) })
  })

  it('is not available if the organization has switched it off', async () => {
    const switchTo = (bikeshareStationReport: boolean) =>
      call(app, city.admin, changeOrganization, {
        params: { organization_id: city.organizations.alder },
        body: { settings: { bikeshareStationReport } },
      })
    await switchTo(false)
    for (const [endpoint, query] of [
      [getBikeshare, {}],
      [getBikeshareDownloadUrl, days],
      [getBikeshareStations, days],
    ] as const) {
      const response = await send(app, city.viewer, endpoint, { params, query } as never)
      expect(readProblem(response)).toMatchObject({
        status: 404,
        detail: expect.stringContaining('bikeshareStationReport'),
      })
    }
    await switchTo(true)
    expect((await readReport({ operators: 'spin' })).stations).toHaveLength(1)
  })
})
