import { describe, expect, it } from 'vitest'
import { deriveUuid } from '#server/stores/derive-uuid.ts'
import * as samples from '../../../test/mds-samples.ts'
import type { MdsContext } from './mds-context.ts'
import { readMds } from './read-mds.ts'
import { readMdsItem } from './read-mds-item.ts'

const { sampleTime, uuid } = samples
const context: MdsContext = {
  operator: 'lark',
  providerId: samples.providerId,
  received: sampleTime + 60_000,
}
const read = (stream: Parameters<typeof readMds>[1], data: unknown) =>
  readMds('1.2', stream, { version: '1.2.0', data }, context)

describe('MDS 1.2', () => {
  it('reads the location, battery and vehicle of a status change', () => {
    const { events, vehicles, findings } = read('events', {
      status_changes: [samples.statusChange(1), samples.statusChange(2)],
    })
    expect(findings).toEqual([])
    expect(events[0]).toEqual({
      operator: 'lark',
      deviceId: uuid(1),
      eventId: deriveUuid('lark', uuid(1), sampleTime + 1000, 'trip_end'),
      time: sampleTime + 1000,
      state: 'available',
      types: ['trip_end'],
      tripIds: [uuid(500)],
      lon: -82.9988,
      lat: 39.9612,
      accuracy: 4,
      battery: 57,
      published: sampleTime + 1400,
    })
    expect(vehicles).toHaveLength(1)
    expect(vehicles[0]).toMatchObject({
      deviceId: uuid(1),
      vehicleId: 'LK-1',
      vehicleType: 'scooter',
      mode: 'micromobility',
      propulsionTypes: ['electric'],
    })
    expect(JSON.parse(vehicles[0]?.attributes ?? '')).toEqual({
      provider_name: 'Lark',
      provider_id: samples.providerId,
      device_id: uuid(1),
      vehicle_id: 'LK-1',
      vehicle_type: 'scooter',
      propulsion_types: ['electric'],
    })
  })

  it('gives an event the same id in every kind of record, and other events other ids', () => {
    const [id] = read('events', { status_changes: [samples.statusChange(1)] }).events.map(
      ({ eventId }) => eventId,
    )
    const seen = read('vehicles', {
      vehicles: [samples.earlierVehicle(1, { last_event_time: sampleTime + 1000 })],
    }).events[0]
    const other = (over: Record<string, unknown>) =>
      read('events', { status_changes: [samples.statusChange(1, over)] }).events[0]?.eventId
    expect(seen?.eventId).toBe(id)
    expect(
      new Set([
        id,
        other({ event_time: sampleTime }),
        other({ device_id: uuid(2) }),
        other({ event_types: ['trip_cancel'] }),
      ]).size,
    ).toBe(4)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it.each([
    [['comms_lost'], 'non_contactable', ['comms_lost']],
    [['missing'], 'missing', ['not_located']],
    [['comms_lost', 'missing'], 'missing', ['comms_lost', 'not_located']],
    [['unspecified'], 'non_contactable', ['unspecified']],
  ])('the MDS 1.2 state unknown after %j is %s', (event_types, state, types) => {
    expect(
      read('events', {
        status_changes: [samples.statusChange(1, { vehicle_state: 'unknown', event_types })],
      }).events[0],
    ).toMatchObject({ state, types })
  })

  it('reads the vehicle, its last event and its location from /vehicles', () => {
    const { vehicles, events, telemetry, findings } = read('vehicles', {
      vehicles: [samples.earlierVehicle(), samples.earlierVehicle(2, { current_location: undefined })],
    })
    expect([vehicles.length, events.length, telemetry.length, findings]).toEqual([2, 2, 1, []])
    expect(telemetry[0]).toMatchObject({
      deviceId: uuid(1),
      time: sampleTime + 60_000,
      lon: -82.9988,
      speed: 3.5,
      battery: 57,
      tripIds: [],
    })
  })

  it("reads a trip's route as telemetry", () => {
    const { trips, telemetry, findings } = read('trips', { trips: [samples.earlierTrip()] })
    expect(findings).toEqual([])
    expect(trips[0]).toMatchObject({
      tripId: uuid(3001),
      startLon: -82.9988,
      startLat: 39.9612,
      endLon: -82.99,
      endLat: 39.97,
      duration: 600,
      distance: 1500,
      published: sampleTime + 30_000,
    })
    expect(JSON.parse(trips[0]?.attributes ?? '')).not.toHaveProperty('route')
    expect(telemetry.map(({ time, tripIds }) => [time, tripIds])).toEqual(
      [sampleTime - 600_000, sampleTime - 300_000, sampleTime].map((time) => [time, [uuid(3001)]]),
    )
    expect(new Set(telemetry.map(({ telemetryId }) => telemetryId)).size).toBe(3)
    expect(read('trips', { trips: [samples.earlierTrip()] }).telemetry).toEqual(telemetry)
  })

  it('reads a trip without the invalid points of its route, with a finding', () => {
    const features = [
      samples.point(sampleTime - 9000),
      samples.point(sampleTime, 200, 40),
      null,
      samples.point(sampleTime, 1, 2, { timestamp: undefined }),
      samples.point(sampleTime),
    ]
    const { trips, telemetry, findings } = read('trips', {
      trips: [samples.earlierTrip(1, { route: { type: 'FeatureCollection', features } })],
    })
    expect([trips.length, telemetry.length]).toEqual([1, 2])
    expect(findings).toMatchObject([
      {
        recordId: uuid(3001),
        field: 'trips[0].route.features',
        reason:
          '3 of 5 points are invalid; the first one: 1 geometry.coordinates must be longitude and latitude in degrees.',
      },
    ])
  })

  it('rejects a trip with an invalid route', () => {
    for (const [route, field] of [
      [undefined, 'trips[0].route'],
      [{ features: [] }, 'trips[0].route.features'],
      [{ features: [samples.point(), samples.point(1)] }, 'trips[0].route.features'],
    ] as const) {
      const { trips, telemetry, findings } = read('trips', { trips: [samples.earlierTrip(1, { route })] })
      expect([trips, telemetry, findings.length]).toEqual([[], [], 1])
      expect(findings[0]?.field).toBe(field)
    }
  })

  it.each([
    ['provider_name', undefined, 'provider_name is missing.'],
    [
      'vehicle_type',
      'scooter_standing',
      'vehicle_type must be one of bicycle, cargo_bicycle, car, scooter, moped, other.',
    ],
    ['propulsion_types', ['hybrid'], 'propulsion_types must be'],
    ['battery_pct', 57, 'battery_pct must be a number from 0 to 1.'],
    [
      'event_location',
      { type: 'Point', coordinates: [1, 2] },
      'event_location.type must be Feature; event_location.geometry is missing',
    ],
    ['trip_id', undefined, 'trip_id is missing.'],
    ['vehicle_state', 'missing', 'vehicle_state must be one of'],
    ['event_types', ['not_located'], 'event_types must be'],
  ])('rejects a status change if its %s is %j', (key, value, reason) => {
    const { events, vehicles, findings } = read('events', {
      status_changes: [samples.statusChange(1, { [key]: value })],
    })
    expect([events, vehicles]).toEqual([[], []])
    expect(findings[0]?.reason).toContain(reason)
  })

  it('requires that the list is wrapped in data', () => {
    expect(
      readMds('1.2', 'events', { version: '1.2.0', status_changes: [samples.statusChange()] }, context)
        .findings,
    ).toMatchObject([{ field: 'data.status_changes' }])
    expect(read('events', { events: [samples.statusChange()] }).events).toHaveLength(1)
    expect(readMds('1.2', 'telemetry', { data: { telemetry: [] } }, context).findings).toHaveLength(1)
  })

  it('reads pushes to the Agency API', () => {
    const pushed = readMdsItem(
      { device_id: uuid(1), ...samples.pushedEvent() },
      { version: '1.2', kind: 'pushed_event', context },
    )
    expect(pushed.errors).toEqual([])
    expect(pushed.records.events[0]).toMatchObject({
      deviceId: uuid(1),
      state: 'on_trip',
      tripIds: [uuid(500)],
      lon: -82.9988,
      lat: 39.9612,
      accuracy: 4,
      battery: 57,
    })
    expect(pushed.records.telemetry[0]).toMatchObject({ deviceId: uuid(1), tripIds: [uuid(500)], speed: 3.5 })
    expect(
      readMdsItem(samples.pushedPoint(), { version: '1.2', kind: 'telemetry', context }).records.telemetry,
    ).toHaveLength(1)
    expect(
      readMdsItem(samples.registration(), { version: '1.2', kind: 'vehicle', context }).records.vehicles[0],
    ).toMatchObject({ vehicleId: 'LK-1', attributes: JSON.stringify(samples.registration()) })
    expect(
      readMdsItem(
        { device_id: uuid(2), ...samples.pushedEvent() },
        { version: '1.2', kind: 'pushed_event', context },
      ).errors,
    ).toMatchObject([{ field: 'telemetry.device_id' }])
    expect(
      readMdsItem(samples.earlierStop(), { version: '1.2', kind: 'stop', context }).records.stops[0],
    ).toMatchObject({ name: 'Broad and High', lat: 39.9612 })
    expect(readMdsItem({}, { version: '2.0', kind: 'pushed_event', context }).errors).toMatchObject([
      { field: '' },
    ])
  })
})
