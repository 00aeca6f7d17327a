import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minuteMs } from '#contract/period.ts'
import { createRouteDerivation } from '#server/routes/derive-routes.ts'
import { uploadShapes } from '#contract/boundary-files.ts'
import { regionScope } from '#server/identity/scope.ts'
import { activeMarksSql } from '#server/fleet/events/dirty-marks.ts'
import { type FeedRecords, noRecords, type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { factHours } from '#server/fleet/fact-changes.ts'
import { openFleetIngest } from '#server/fleet/events/open-fleet-ingest.ts'
import { storeRecords } from '#server/fleet/events/store-records.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, facts, latest, sql } from '#server/stores/sql.ts'
import { call, openTestApp, type TestApp } from '../app.ts'
import { makeCity } from '../city.ts'

let app: TestApp
let organizationId: string
let city: Awaited<ReturnType<typeof makeCity>>
let scope: Scope
beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  organizationId = city.organizations.alder
  scope = regionScope(organizationId, 'alder')
})
afterAll(() => app.close())

const start = Date.UTC(2026, 4, 5, 12)
const makeId = (n: number): string => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-00000000abcd`
const makeEvent = (n: number, minutes: number, overrides: Partial<VehicleEvent> = {}): VehicleEvent => ({
  operator: 'swift',
  deviceId: makeId(1),
  eventId: makeId(100 + n),
  time: start + minutes * minuteMs,
  state: 'available',
  types: ['trip_end'],
  tripIds: [],
  lon: -72.5,
  lat: 41.5,
  accuracy: NaN,
  battery: 80,
  published: 0,
  ...overrides,
})
const makeRide = (n: number, from: number, minutes: number): VehicleEvent[] => [
  makeEvent(n, from, { state: 'on_trip', types: ['trip_start'], tripIds: [makeId(n)] }),
  makeEvent(n + 1, from + minutes, { tripIds: [makeId(n)] }),
]
const makeBatch = (records: Partial<FeedRecords>) => ({
  organizationId,
  regionId: 'alder',
  operator: 'swift',
  feedId: 'feed',
  stream: 'events',
  windowStart: start,
  received: start + 60 * minuteMs,
  records: { ...noRecords(), ...records },
})
const makeVehicle = (vehicleType: 'scooter_standing' | 'bicycle') => ({
  operator: 'swift',
  deviceId: makeId(1),
  vehicleId: '77',
  vehicleType,
  mode: 'micromobility',
  propulsionTypes: ['electric'],
  attributes: JSON.stringify({ vehicle_type: vehicleType }),
})

const countRows = async (table: 'vehicle_intervals' | 'parking_events' | 'trips'): Promise<number> =>
  Number(
    (
      await app.facts.rows<{ n: string }>(
        scope,
        sql`select count() as n from ${latest(table)} where operator = 'swift'`,
      )
    )[0]?.n,
  )
const readTrips = () =>
  app.facts.rows<{ id: string; type: string; seconds: number; source: string }>(
    scope,
    sql`select toString(trip_id) as id, vehicle_type as type, duration_s as seconds, source from ${latest('trips')} where operator = 'swift' order by start_time`,
  )

describe('feed records', () => {
  it('become intervals, parking events and trips', async () => {
    expect(
      await app.fleetIngest.store(
        makeBatch({
          vehicles: [makeVehicle('scooter_standing')],
          events: [...makeRide(1, 0, 10), ...makeRide(3, 30, 20)],
        }),
      ),
    ).toEqual({ accepted: 5, setAside: 0, repeated: 0 })
    await app.fleetIngest.whenDerived()
    expect([await countRows('vehicle_intervals'), await countRows('parking_events')]).toEqual([4, 2])
    expect(await readTrips()).toEqual([
      { id: makeId(1), type: 'scooter_standing', seconds: 600, source: 'events' },
      { id: makeId(3), type: 'scooter_standing', seconds: 1200, source: 'events' },
    ])
  })

  it('change nothing if repeated, and count as repeated', async () => {
    expect(await app.fleetIngest.store(makeBatch({ events: makeRide(1, 0, 10) }))).toEqual({
      accepted: 2,
      setAside: 0,
      repeated: 2,
    })
    await app.fleetIngest.whenDerived()
    expect([
      await countRows('vehicle_intervals'),
      await countRows('parking_events'),
      (await readTrips()).length,
    ]).toEqual([4, 2, 2])
  })

  it('feed records of a trip report count before its events', async () => {
    const report = {
      operator: 'swift',
      tripId: makeId(1),
      deviceId: makeId(1),
      startTime: start,
      endTime: start + 9 * minuteMs,
      startLon: -72.5,
      startLat: 41.5,
      endLon: -72.51,
      endLat: 41.5,
      distance: 900,
      duration: 540,
      published: 0,
      attributes: '',
    }
    await app.fleetIngest.store(makeBatch({ trips: [report] }))
    await app.fleetIngest.whenDerived()
    expect((await readTrips())[0]).toEqual({
      id: makeId(1),
      type: 'scooter_standing',
      seconds: 540,
      source: 'both',
    })
  })

  it('feed records of a changed vehicle type apply to past intervals and trips', async () => {
    await app.fleetIngest.store(makeBatch({ vehicles: [makeVehicle('bicycle')] }))
    await app.fleetIngest.whenDerived()
    expect((await readTrips()).map(({ type }) => type)).toEqual(['bicycle', 'bicycle'])
    const types = await app.facts.rows(
      scope,
      sql`select distinct vehicle_type as type from ${latest('vehicle_intervals')} where operator = 'swift'`,
    )
    expect(types).toEqual([{ type: 'bicycle' }])
    expect(
      await app.fleetIngest.findRegistered(organizationId, 'alder', 'swift', [makeId(1), makeId(2)]),
    ).toEqual(new Set([makeId(1)]))
    expect(await app.fleetIngest.findRegistered(organizationId, 'alder', 'other', [makeId(1)])).toEqual(
      new Set(),
    )
  })

  it('feed records with telemetry of a trip cause its hours to be measured again, whether or not the trip is known', async () => {
    const readSpans = async () =>
      (
        await app.state
          .as(scope)
          .selectFrom('derived_span')
          .select(['span', 'wanted'])
          .where('product', '=', factHours)
          .where('region_id', '=', 'alder')
          .where('span', '<', '2025-04-01')
          .orderBy('span')
          .execute()
      ).map(({ span, wanted }) => `${span} ${wanted}`)
    const point = (n: number, time: number, tripIds: string[]) => ({
      operator: 'swift',
      deviceId: makeId(1),
      telemetryId: makeId(900 + n),
      time,
      tripIds,
      lon: -72.5,
      lat: 41.5,
      speed: 3,
      heading: NaN,
      accuracy: NaN,
      battery: NaN,
    })
    const midnight = Date.UTC(2025, 2, 10)
    await app.fleetIngest.store(
      makeBatch({
        telemetry: [
          point(1, midnight - 720 * minuteMs, [makeId(77)]),
          point(2, midnight - 4 * minuteMs, [makeId(77)]),
          point(3, midnight + 3000 * minuteMs, []),
        ],
      }),
    )
    expect(await readSpans()).toEqual(['2025-03-09T12 1', '2025-03-09T23 1', '2025-03-10T00 1'])
    await app.fleetIngest.store(makeBatch({ telemetry: [point(4, midnight - 600 * minuteMs, [makeId(77)])] }))
    expect(await readSpans()).toEqual([
      '2025-03-09T12 1',
      '2025-03-09T14 1',
      '2025-03-09T23 1',
      '2025-03-10T00 1',
    ])
    await app.fleetIngest.whenDerived()
  })

  it('feed records of vehicles that another server registered are known at once', async () => {
    const other = await openFleetIngest({
      state: app.state,
      facts: app.facts,
      log: () => undefined,
      nowMs: Date.now,
      deriveFromTrips: createRouteDerivation(app),
    })
    expect(await other.findRegistered(organizationId, 'alder', 'swift', [makeId(1), makeId(55)])).toEqual(
      new Set([makeId(1)]),
    )
    await app.fleetIngest.store(
      makeBatch({ vehicles: [{ ...makeVehicle('bicycle'), deviceId: makeId(55) }] }),
    )
    expect(await other.findRegistered(organizationId, 'alder', 'swift', [makeId(1), makeId(55)])).toEqual(
      new Set([makeId(1), makeId(55)]),
    )
    await other.close()
  })

  it('feed records of a killed server that were stored but not derived are derived at the next start', async () => {
    // This includes an event that was sent before with another time.
    await storeRecords(
      app.facts,
      scope,
      makeBatch({
        events: [...makeRide(5, 90, 5), makeEvent(4, 52, { tripIds: [makeId(3)], published: start })],
      }),
      { newVehicles: { vehicles: [], retyped: [] } },
    )
    expect((await readTrips()).length).toBe(2)
    const fleetIngest = await openFleetIngest({
      state: app.state,
      facts: app.facts,
      log: () => undefined,
      nowMs: Date.now,
      deriveFromTrips: createRouteDerivation(app),
    })
    await fleetIngest.whenDerived()
    await fleetIngest.close()
    // The server of the test has the same marks and may derive the same run, so its list is emptied at the end.
    await app.fleetIngest.whenDerived()
    expect((await readTrips()).map(({ id, seconds }) => [id, seconds])).toEqual([
      [makeId(1), 540],
      [makeId(3), 22 * 60],
      [makeId(5), 300],
    ])
    const left = await app.facts.rows(
      scope,
      sql`select count() as n from (${activeMarksSql}) where region_id = ${bind('String', 'alder')}`,
    )
    expect(left).toEqual([{ n: '0' }])
  })

  it('feed records with telemetry of a trip become its route, matched to the streets, and again after more telemetry', async () => {
    const streets = {
      type: 'FeatureCollection',
      features: [
        [
          [-72.5, 41.5],
          [-72.499, 41.5],
        ],
        [
          [-72.499, 41.5],
          [-72.498, 41.5],
        ],
        [
          [-72.499, 41.5],
          [-72.499, 41.501],
        ],
      ].map((coordinates, index) => ({
        type: 'Feature',
        properties: { name: `S${index}` },
        geometry: { type: 'LineString', coordinates },
      })),
    }
    await call(app, city.admin, uploadShapes, {
      params: { region_id: 'alder' },
      query: {
        file_name: 'streets.geojson',
        layer_name: 'Streets',
        name_property: 'name',
        level: 'basemap:street',
      },
      body: Buffer.from(JSON.stringify(streets)),
    })
    const point = (n: number, seconds: number, lon: number, lat: number) => ({
      operator: 'swift',
      deviceId: makeId(1),
      telemetryId: makeId(1000 + n),
      time: start + 200 * minuteMs + seconds * 1000,
      tripIds: [makeId(7)],
      lon,
      lat,
      speed: 4,
      heading: NaN,
      accuracy: 5,
      battery: NaN,
    })
    const readRoute = () =>
      app.facts.rows<{
        trip: string
        lon: number[]
        lat: number[]
        seconds: number[]
        meters: number
        segments: string[]
        directions: number[]
      }>(
        scope,
        sql`select toString(trip_id) as trip, lon, lat, seconds, round(length_m) as meters, segments, directions from ${latest('trip_routes')}`,
      )
    await app.fleetIngest.store(
      makeBatch({
        events: makeRide(7, 200, 5),
        telemetry: [point(1, 0, -72.5, 41.5), point(3, 40, -72.4992, 41.50001)],
      }),
    )
    await app.fleetIngest.whenDerived()
    const [first] = await readRoute()
    expect(first).toMatchObject({
      trip: makeId(7),
      lon: [-72500000, -72499200],
      lat: [41500000, 41500010],
      seconds: [0, 40],
      directions: [1],
    })
    await app.fleetIngest.store(
      makeBatch({
        telemetry: [
          point(2, 20, -72.4996, 41.5),
          point(4, 60, -72.499, 41.5002),
          point(5, 90, -72.499, 41.5009),
        ],
      }),
    )
    await app.fleetIngest.whenDerived()
    const [second, ...others] = await readRoute()
    expect(others).toEqual([])
    expect(second).toMatchObject({ seconds: [0, 40, 60, 90], directions: [1, 1] })
    expect(second?.segments[0]).toBe(first?.segments[0])
    expect(second?.meters).toBeGreaterThan(150)
  })

  it('are stored with the findings of their batch', async () => {
    await app.fleetIngest.store(
      makeBatch({
        findings: [
          {
            kind: 'schema',
            recordId: 'x',
            field: 'events[0].location.lat',
            reason: 'is 91.2: latitudes end at 90',
            raw: '{"a":"\t\\\n"}',
          },
        ],
        events: [makeEvent(50, 1200, { state: 'non_operational', types: ['battery_low'] })],
      }),
    )
    expect(
      await app.facts.rows(
        scope,
        sql`select operator, feed_id, stream, kind, record_id, field, reason, raw from ${facts('feed_findings')}`,
      ),
    ).toEqual([
      {
        operator: 'swift',
        feed_id: 'feed',
        stream: 'events',
        kind: 'schema',
        record_id: 'x',
        field: 'events[0].location.lat',
        reason: 'is 91.2: latitudes end at 90',
        raw: '{"a":"\t\\\n"}',
      },
    ])
    const [last] = await app.facts.rows(
      scope,
      sql`select accepted, set_aside, repeated, toString(last_time) as last from ${facts('feed_batches')} order by last_time desc limit 1`,
    )
    expect(last).toEqual({ accepted: 1, set_aside: 1, repeated: 0, last: '2026-05-06 08:00:00.000' })
  })

  it('feed records of the current hour cause it to be measured again, because a window may have ended in it', async () => {
    const readSpans = async () =>
      Number(
        (
          await app.state
            .as(scope)
            .selectFrom('derived_span')
            .select('wanted')
            .where('product', '=', factHours)
            .where('region_id', '=', 'alder')
            .where('span', '=', new Date().toISOString().slice(0, 13))
            .executeTakeFirst()
        )?.wanted ?? 0,
      )
    const before = await readSpans()
    await app.fleetIngest.store(
      makeBatch({
        events: [
          makeEvent(950, 0, {
            deviceId: makeId(95),
            time: Date.now(),
            state: 'removed',
            types: ['maintenance_pick_up'],
            lon: NaN,
            lat: NaN,
          }),
        ],
      }),
    )
    await app.fleetIngest.whenDerived()
    expect(await readSpans()).toBeGreaterThan(before)
  })
})
