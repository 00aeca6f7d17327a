import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRouteDerivation } from '#server/routes/derive-routes.ts'
import type { LiveVehicles, VehicleDay } from '#contract/vehicles.ts'
import { openWebApp } from '#server/http/web-app.ts'
import { serveEndpoints } from '#server/http/serve.ts'
import { findViewer } from '#server/identity/find-viewer.ts'
import { streamPace } from '#server/live/vehicle-stream.ts'
import { noRecords, type FeedRecords, type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import { openFleetIngest } from '#server/fleet/events/open-fleet-ingest.ts'
import { LiveFleet } from '#server/live/live-fleet.ts'
import { liveRoutes } from '#server/live/routes.ts'
import { openTestApp, request, type SignedIn, type TestApp } from '../app.ts'
import { makeRegions, type TestCity } from '../city.ts'
import { openEvents } from '../open-events.ts'

const log = (): void => {}
const now = (): number => Date.now()

/** The fleet ingest and live map on an app's stores. */
interface LiveServer {
  live: LiveFleet
  fleetIngest: FleetIngest
  http: FastifyInstance
  url: string
  close(): Promise<void>
}

async function openLiveServer(app: TestApp): Promise<LiveServer> {
  const live = new LiveFleet({ facts: app.facts, log, nowMs: now })
  const fleetIngest = await openFleetIngest({
    state: app.state,
    facts: app.facts,
    log,
    nowMs: now,
    onBatchStored: live.applyBatch,
    deriveFromTrips: createRouteDerivation(app),
  })
  const http = await openWebApp(app.dataDir, log, { development: false, trustedProxies: [] })
  const getViewer = (headers: Headers) => findViewer(app.auth, app.state, headers)
  serveEndpoints(http, liveRoutes({ state: app.state, facts: app.facts, live, getViewer }), {
    getViewer,
    publicUrl: 'http://127.0.0.1',
    log,
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  return {
    live,
    fleetIngest,
    http,
    url: `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`,
    async close() {
      live.close()
      await http.close()
      await fleetIngest.close()
    },
  }
}

let app: TestApp
let city: TestCity
let server: LiveServer
beforeAll(async () => {
  app = await openTestApp()
  city = await makeRegions(app)
  server = await openLiveServer(app)
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const makeHeaders = ({ token }: SignedIn): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${token}` },
})
const get = async <T>(user: SignedIn, path: string): Promise<T> => {
  const response = await fetch(`${server.url}/v2/regions/${path}`, makeHeaders(user))
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}
const listLive = (user: SignedIn, query = ''): Promise<LiveVehicles> =>
  get(user, `alder/vehicles/live?ids=true${query}`)

/** Converts the columns of a response to rows of vehicles, without their handles. */
const makeRows = (list: LiveVehicles) =>
  list.vehicle_id
    .map((id, row) => ({
      id,
      device: list.device_id?.[row],
      ...list.groups[list.group[row]!]!,
      state: list.states[list.state[row]!],
      battery: list.battery[row],
      lon: list.lon[row] === null ? null : Math.round(list.origin[0] * 1e6 + list.lon[row]!),
      since: list.time - list.since[row]! * 1000,
      seen: list.time - list.seen[row]! * 1000,
    }))
    .toSorted((a, b) => String(a.device).localeCompare(String(b.device)))

const devices = Array.from({ length: 6 }, () => randomUUID())
const makeEvent = (
  device: number,
  minutesAgo: number,
  overrides: Partial<VehicleEvent> = {},
): VehicleEvent => ({
  operator: 'swift',
  deviceId: devices[device]!,
  eventId: randomUUID(),
  time: now() - minutesAgo * 60_000,
  state: 'available',
  types: ['trip_end'],
  tripIds: [],
  lon: -72.5 + device / 1000,
  lat: 41.49,
  accuracy: 5,
  battery: 60,
  published: 0,
  ...overrides,
})
const storeRecords = async (
  records: Partial<FeedRecords>,
  operator = 'swift',
  regionId = 'alder',
): Promise<void> => {
  await server.fleetIngest.store({
    organizationId: regionId === 'cedar' ? city.organizations.cedar : city.organizations.alder,
    regionId,
    operator,
    feedId: 'feed',
    stream: 'events',
    windowStart: now(),
    received: now(),
    records: { ...noRecords(), ...records },
  })
}
const openStream = (
  user: SignedIn,
  { after, headers = {} }: { after?: number; headers?: Record<string, string> } = {},
) =>
  openEvents(
    `${server.url}/v2/regions/alder/vehicles/stream${after === undefined ? '' : `?after=${after}`}`,
    { ...makeHeaders(user).headers, ...headers },
  )

describe('a live fleet', () => {
  it('is empty at first, in the same format', async () => {
    expect(await listLive(city.viewer)).toMatchObject({ groups: [], handle: [], vehicle_id: [] })
  })

  it('shows stored vehicles, and updates an open stream within seconds', async () => {
    await storeRecords({
      vehicles: [0, 1, 2].map((n) => ({
        operator: 'swift',
        deviceId: devices[n]!,
        vehicleId: `SW-${n}`,
        vehicleType: 'scooter_standing',
        mode: 'micromobility',
        propulsionTypes: ['electric'],
        attributes: '{}',
      })),
      events: [
        makeEvent(0, 30),
        makeEvent(1, 20),
        makeEvent(2, 10, { state: 'non_operational', types: ['battery_low'], battery: 4 }),
      ],
    })
    const before = await listLive(city.viewer)
    expect(
      makeRows(before)
        .map(({ id, state, battery }) => [id, state, battery])
        .toSorted(),
    ).toEqual([
      ['SW-0', 'available', 60],
      ['SW-1', 'available', 60],
      ['SW-2', 'non_operational', 4],
    ])
    const open = await openStream(city.viewer, { after: before.at })
    const start = now()
    await storeRecords({
      events: [makeEvent(0, 0, { state: 'on_trip', types: ['trip_start'] })],
      telemetry: [
        {
          operator: 'swift',
          deviceId: devices[1]!,
          telemetryId: randomUUID(),
          time: now(),
          tripIds: [],
          lon: -72.4,
          lat: 41.5,
          speed: NaN,
          heading: NaN,
          accuracy: NaN,
          battery: 55,
        },
      ],
    })
    const [update] = await open.until('vehicles', 1)
    expect(now() - start).toBeLessThan(5000)
    expect(
      makeRows(update!.data as LiveVehicles)
        .map(({ id, state, lon, battery }) => [id, state, lon, battery])
        .toSorted(),
    ).toEqual([
      ['SW-0', 'on_trip', -72_500_000, 60],
      ['SW-1', 'available', -72_400_000, 55],
    ])
    open.close()
  })

  it('continues an interrupted stream by the id of the last event, or resets it', async () => {
    const { at } = await listLive(city.viewer)
    await storeRecords({ events: [makeEvent(3, 0)] })
    await storeRecords({ events: [makeEvent(4, 0)] })
    const resumed = await openStream(city.viewer, { headers: { 'last-event-id': String(at) } })
    const [update] = await resumed.until('vehicles', 1)
    expect((update!.data as LiveVehicles).vehicle_id.toSorted()).toEqual(
      [devices[3]!, devices[4]!].toSorted(),
    )
    resumed.close()
    const lost = await openStream(city.viewer, { after: 12 })
    expect((await lost.until('reset', 1))[0]).toMatchObject({ id: String((await listLive(city.viewer)).at) })
    lost.close()
  })

  it('is filtered by operator, type and state', async () => {
    expect(makeRows(await listLive(city.viewer, `&states=["on_trip"]`)).map(({ id }) => id)).toEqual(['SW-0'])
    expect(makeRows(await listLive(city.viewer, `&vehicle_types=["other"]`))).toHaveLength(2)
    expect(makeRows(await listLive(city.viewer, `&operators=["nobody"]`))).toEqual([])
    expect(
      (
        await fetch(
          `${server.url}/v2/regions/alder/vehicles/live?states=["flying"]`,
          makeHeaders(city.viewer),
        )
      ).status,
    ).toBe(422)
  })

  it('shows the states, events and trips of a vehicle’s day', async () => {
    const trip = randomUUID()
    const time = now()
    const getMinutesAgo = (minutes: number): number => time - minutes * 60_000
    await storeRecords({
      events: [
        makeEvent(5, 3, { state: 'on_trip', types: ['trip_start'], tripIds: [trip], time: getMinutesAgo(3) }),
        makeEvent(5, 2, { types: ['trip_end'], tripIds: [trip], time: getMinutesAgo(2) }),
      ],
    })
    await server.fleetIngest.whenDerived()
    const day = await get<VehicleDay>(city.viewer, `alder/vehicles/${devices[5]}`)
    expect(day).toMatchObject({
      operator: 'swift',
      state: 'available',
      source: 'events',
      device_id: devices[5],
    })
    // Shortly after midnight, events from minutes ago are of yesterday.
    const isToday = (minutes: number): boolean => day.day_start <= getMinutesAgo(minutes)
    expect(day.events).toHaveLength([3, 2].filter(isToday).length)
    expect(day.intervals.at(-1)).toMatchObject({ state: 'available', to: null, battery: 60 })
    expect(day.intervals.filter(({ from }) => from >= day.day_start).map(({ state }) => state)).toEqual([
      ...(isToday(3) ? ['on_trip'] : []),
      ...(isToday(2) ? ['available'] : []),
    ])
    expect(day.trips).toMatchObject(isToday(3) ? [{ trip_id: trip, duration_s: 60 }] : [])
    expect(await get<VehicleDay>(city.viewer, 'alder/vehicles/swift:SW-1')).toMatchObject({
      device_id: devices[1],
      propulsion_types: ['electric'],
    })
  })

  it('includes stations and vehicles of a snapshot', async () => {
    const open = await openStream(city.viewer)
    const bike = {
      vehicleId: 'g1',
      vehicleType: 'bicycle' as const,
      lon: -72.5,
      lat: 41.49,
      battery: NaN,
      range: NaN,
      isReserved: false,
      isDisabled: false,
      lastReported: NaN,
    }
    server.live.replaceSnapshot({
      regionId: 'alder',
      operator: 'dockers',
      feedId: 'gbfs',
      at: now(),
      vehicles: [bike],
      stations: [
        {
          stationId: 's1',
          name: 'Green',
          lon: -72.5,
          lat: 41.5,
          capacity: 12,
          vehiclesAvailable: 5,
          docksAvailable: 7,
          isRenting: true,
        },
      ],
    })
    await open.until('stations', 1)
    await open.until('vehicles', 1)
    open.close()
    expect(await get(city.viewer, 'alder/vehicles/stations')).toMatchObject({
      items: [{ operator: 'dockers', station_id: 's1', vehicles_available: 5 }],
    })
    expect(await get(city.viewer, 'alder/vehicles/dockers:g1')).toMatchObject({
      source: 'gbfs',
      device_id: null,
      events: [],
      intervals: [],
    })
  })

  it('is the same after a restart, read from the store', async () => {
    server.live.replaceSnapshot({
      regionId: 'alder',
      operator: 'dockers',
      feedId: 'gbfs',
      at: now(),
      vehicles: [],
      stations: [],
    })
    const before = makeRows(await listLive(city.viewer))
    expect(before).toHaveLength(6)
    await server.close()
    await app.stop()
    app = await openTestApp(app.dataDir)
    server = await openLiveServer(app)
    expect(makeRows(await listLive(city.viewer))).toEqual(before)
  })
})

describe('the live map', () => {
  const paths = ['live', 'stream', 'stations', 'swift:SW-1']

  it.each(paths)('is not found from another organization: %s', async (path) => {
    const response = await fetch(
      `${server.url}/v2/regions/alder/vehicles/${path}`,
      makeHeaders(city.stranger),
    )
    expect(response.status).toBe(404)
    expect(await response.text()).not.toContain('SW-')
  })

  it.each(paths)('requires a sign-in: %s', async (path) => {
    expect((await fetch(`${server.url}/v2/regions/alder/vehicles/${path}`)).status).toBe(401)
  })

  it('shows users only vehicles of their own region', async () => {
    await storeRecords(
      { events: [makeEvent(0, 0, { deviceId: randomUUID(), operator: 'cedar-cabs' })] },
      'cedar-cabs',
      'cedar',
    )
    expect((await get<LiveVehicles>(city.stranger, 'cedar/vehicles/live')).groups).toEqual([
      { operator: 'cedar-cabs', vehicle_type: 'other', source: 'events' },
    ])
    expect((await get<LiveVehicles>(city.viewer, 'birch/vehicles/live')).handle).toEqual([])
    expect(makeRows(await listLive(city.viewer)).some(({ operator }) => operator === 'cedar-cabs')).toBe(
      false,
    )
  })

  it('limits the number of streams per user', async () => {
    const open = await Promise.all(Array.from({ length: 12 }, () => openStream(city.planner)))
    expect(
      (await fetch(`${server.url}/v2/regions/alder/vehicles/stream`, makeHeaders(city.planner))).status,
    ).toBe(429)
    for (const events of open) events.close()
    await expect
      .poll(async () => {
        const again = await fetch(`${server.url}/v2/regions/alder/vehicles/stream`, makeHeaders(city.planner))
        await again.body?.cancel()
        return again.status
      })
      .toBe(200)
  })

  it('ends a stream with its session', { timeout: 60_000 }, async () => {
    const { heartbeatMs } = streamPace
    streamPace.heartbeatMs = 500
    const open = await openStream(city.planner)
    streamPace.heartbeatMs = heartbeatMs
    expect(
      (
        await request(app, {
          method: 'POST',
          url: '/api/auth/sign-out',
          headers: { ...makeHeaders(city.planner).headers, origin: 'http://127.0.0.1:4870' },
          body: {},
        })
      ).statusCode,
    ).toBe(200)
    const start = now()
    await open.ended
    expect(now() - start).toBeLessThan(30_000)
    expect(
      (await fetch(`${server.url}/v2/regions/alder/vehicles/stream`, makeHeaders(city.planner))).status,
    ).toBe(401)
  })
})
