import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { VehicleType } from '#contract/mobility.ts'
import { eventTypes, vehicleStateNames } from '#contract/vehicle-states.ts'
import { listTimelines } from '../../test/city/plain-fleet.ts'
import type { TelemetryPoint, VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { LiveRegion } from './live-region.ts'
import { makeBatch, makeEvent, testTime } from '../../test/live-records.ts'
import { maxTrackEvents } from './vehicle-track.ts'
import { testUuid } from '../../test/uuid.ts'

const hour = 3_600_000
const at = testTime
const lostAfterHours = 48

const anyEvent = (ids: number): fc.Arbitrary<VehicleEvent> =>
  fc.record({
    operator: fc.constantFrom('one', 'two'),
    deviceId: fc.integer({ min: 1, max: 3 }).map(testUuid),
    eventId: fc.integer({ min: 1, max: ids }).map((n) => testUuid(n * 7919)),
    // Quarters of an hour over three days, so that some coincide and some are lost by now.
    time: fc
      .oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 4 * 72 }))
      .map((n) => at - n * (hour / 4)),
    state: fc.constantFrom(...vehicleStateNames),
    types: fc.array(fc.constantFrom(...eventTypes), { minLength: 1, maxLength: 2 }),
    tripIds: fc.constant([]),
    lon: fc.constantFrom(-75, -75.01, -75.02),
    lat: fc.constantFrom(37, 37.0004),
    accuracy: fc.constant(NaN),
    battery: fc.constantFrom(10, 20, 80),
    published: fc.constantFrom(0, 0, at, at + 1),
  })
const anyPoint: fc.Arbitrary<TelemetryPoint> = fc.record({
  operator: fc.constantFrom('one', 'two'),
  deviceId: fc.integer({ min: 1, max: 4 }).map(testUuid),
  telemetryId: fc.integer({ min: 1, max: 500 }).map((n) => testUuid(n * 104_729)),
  time: fc.integer({ min: 0, max: 4 * 72 }).map((n) => at - n * (hour / 4) + 1),
  tripIds: fc.constant([]),
  lon: fc.constantFrom(-75.5, -75.6, NaN),
  lat: fc.constantFrom(37.5, 37.6),
  speed: fc.constant(NaN),
  heading: fc.constant(NaN),
  accuracy: fc.constant(NaN),
  battery: fc.constantFrom(33, 44, NaN),
})

const newRegion = (): LiveRegion => new LiveRegion({ first: 1000, lostAfterHours })
const listShown = (region: LiveRegion): string[] =>
  [...region.vehicles.all()].map((vehicle) => JSON.stringify({ ...vehicle, handle: undefined })).toSorted()

/** Generates batches of random records in random order, some repeated. @param ids number of event ids */
const anyBatches = (ids: number) =>
  fc
    .record({
      events: fc.array(anyEvent(ids), { maxLength: 40 }),
      points: fc.array(anyPoint, { maxLength: 20 }),
      order: fc.infiniteStream(fc.nat()),
      copies: fc.integer({ min: 0, max: 10 }),
      cuts: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ events: drawn, points: drawnPoints, order, copies, cuts }) => {
      const next = (): number => order.next().value ?? 0
      // The points of a vehicle with the same telemetry id are identical.
      const points = [
        ...new Map(
          drawnPoints.map((point) => [`${point.operator} ${point.deviceId} ${point.telemetryId}`, point]),
        ).values(),
      ]
      const all = [
        ...drawn.map((event) => ({ event, point: null })),
        ...points.map((point) => ({ event: null, point })),
      ]
      const doubled = [
        ...all,
        ...Array.from({ length: all.length ? copies : 0 }, () => all[next() % all.length]!),
      ]
      const shuffled = doubled
        .map((each) => ({ each, key: next() }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ each }) => each)
      const size = Math.max(1, Math.ceil(shuffled.length / cuts))
      const batches = Array.from({ length: cuts }, (_, k) => shuffled.slice(k * size, (k + 1) * size)).map(
        (part) =>
          makeBatch({
            events: part.flatMap(({ event }) => event ?? []),
            telemetry: part.flatMap(({ point }) => point ?? []),
          }),
      )
      return { events: drawn, points, batches }
    })

/** Computes the reference: the last of all sorted events counts, moved by the newest telemetry after it. */
function listPlainVehicles(events: readonly VehicleEvent[], points: readonly TelemetryPoint[]): string[] {
  return listTimelines(events)
    .map((line) => {
      const last = line.at(-1)!
      const visiblePoints = points.filter(
        (point) => point.operator === last.operator && point.deviceId === last.deviceId,
      )
      const later = visiblePoints
        .filter(({ time }) => time > last.time)
        .toSorted((a, b) => a.time - b.time || (a.telemetryId < b.telemetryId ? -1 : 1))
      const place = later.findLast(({ lon }) => !Number.isNaN(lon)) ?? last
      const seen = Math.max(last.time, ...visiblePoints.map(({ time }) => time))
      return JSON.stringify({
        operator: last.operator,
        deviceId: last.deviceId,
        vehicleId: last.deviceId,
        vehicleType: 'other',
        state: seen <= at - lostAfterHours * hour ? 'lost' : last.state,
        since: last.time,
        seen,
        lon: place.lon,
        lat: place.lat,
        battery: (later.findLast(({ battery }) => !Number.isNaN(battery)) ?? last).battery,
        source: 'events',
      })
    })
    .toSorted()
}

describe('the vehicles of a region', () => {
  it('equal those of the reference, whatever the order, copies, versions and batches of records', () => {
    fc.assert(
      fc.property(anyBatches(maxTrackEvents), ({ events, points, batches }) => {
        const region = newRegion()
        for (const batch of batches) region.applyBatch(batch, at)
        expect(listShown(region)).toEqual(listPlainVehicles(events, points))
      }),
      { numRuns: 500, seed: 4884 },
    )
  })

  it('equal those of the reference with many more events than are retained, if none is republished', () => {
    fc.assert(
      fc.property(anyBatches(1_000_000), ({ events: drawn, points, batches }) => {
        const handles = new Set<string>()
        const isRepeated = drawn.some(
          ({ operator, deviceId, eventId }) =>
            handles.size === handles.add(`${operator} ${deviceId} ${eventId}`).size,
        )
        fc.pre(!isRepeated)
        const region = newRegion()
        for (const batch of batches) region.applyBatch(batch, at)
        expect(listShown(region)).toEqual(listPlainVehicles(drawn, points))
      }),
      { numRuns: 200, seed: 4884 },
    )
  })

  const event = (changes: Partial<VehicleEvent>) => makeEvent({ time: at - hour, ...changes })

  it('number their changes, and a repeated batch makes none', () => {
    const region = newRegion()
    region.applyBatch(makeBatch({ events: [event({})] }), at)
    expect(region.vehicles.lastChange).toBe(1001)
    region.applyBatch(makeBatch({ events: [event({})] }), at)
    expect(region.vehicles.lastChange).toBe(1001)
    expect([...(region.vehicles.changedSince(1000) ?? [])]).toEqual([0])
  })

  it('retain the known place if an event has none', () => {
    const region = newRegion()
    region.applyBatch(
      makeBatch({
        events: [
          event({}),
          event({
            eventId: testUuid(12),
            time: at,
            state: 'non_contactable',
            types: ['comms_lost'],
            lon: NaN,
            lat: NaN,
            battery: NaN,
          }),
        ],
      }),
      at,
    )
    expect([...region.vehicles.all()]).toMatchObject([
      { state: 'non_contactable', lon: -75, lat: 37, battery: 50 },
    ])
  })

  it('have the registration that was received last', () => {
    const region = newRegion()
    const vehicle = {
      operator: 'one',
      deviceId: testUuid(1),
      mode: 'micromobility',
      propulsionTypes: [],
      attributes: '{}',
      vehicleType: 'scooter' as VehicleType,
    }
    region.applyBatch(
      makeBatch({ events: [event({})], vehicles: [{ ...vehicle, vehicleId: 'B-2' }] }, at),
      at,
    )
    region.applyBatch(makeBatch({ vehicles: [{ ...vehicle, vehicleId: 'A-1' }] }, at - 5), at)
    expect([...region.vehicles.all()]).toMatchObject([
      { vehicleId: 'B-2', vehicleType: 'scooter', handle: 0 },
    ])
    expect(region.find('one:B-2')).toBe(region.find(testUuid(1)))
    expect(region.find('one:A-1')).toBeNull()
  })

  it('become lost after the hours of the region and are removed after two weeks, except for their registration', () => {
    const region = newRegion()
    region.applyBatch(
      makeBatch({
        events: [event({})],
        vehicles: [
          {
            operator: 'one',
            deviceId: testUuid(1),
            vehicleId: 'A-1',
            vehicleType: 'scooter',
            mode: 'micromobility',
            propulsionTypes: [],
            attributes: '{}',
          },
        ],
      }),
      at,
    )
    region.sweep(at + 47 * hour - 1)
    expect(region.vehicles.lastChange).toBe(1001)
    region.sweep(at + 47 * hour)
    region.sweep(at + 60 * hour)
    expect([...region.vehicles.all()]).toMatchObject([{ state: 'lost', since: at - hour }])
    expect(region.vehicles.lastChange).toBe(1002)
    region.sweep(at + 14 * 24 * hour)
    expect([...region.vehicles.all()]).toEqual([])
    region.applyBatch(
      makeBatch({ events: [event({ eventId: testUuid(77), time: at + 15 * 24 * hour })] }),
      at + 15 * 24 * hour,
    )
    expect([...region.vehicles.all()]).toMatchObject([{ handle: 0, vehicleId: 'A-1', state: 'available' }])
  })

  it('become lost earlier when the hours of the region are reduced', () => {
    const region = newRegion()
    region.applyBatch(makeBatch({ events: [event({})] }), at)
    region.setLostAfterHours(1, at + 1)
    expect([...region.vehicles.all()]).toMatchObject([{ state: 'lost' }])
  })

  it('ignore what is too old to be shown', () => {
    const region = newRegion()
    region.applyBatch(makeBatch({ events: [event({ time: at - 15 * 24 * hour })] }), at)
    expect([...region.vehicles.all()]).toEqual([])
  })
})
