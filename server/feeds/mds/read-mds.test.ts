import { describe, expect, it } from 'vitest'
import { hourMs } from '#contract/period.ts'
import * as samples from '../../../test/mds-samples.ts'
import type { MdsContext } from './mds-context.ts'
import { readMds } from './read-mds.ts'

const { providerId, sampleTime, uuid } = samples
const context: MdsContext = { operator: 'lark', providerId, received: sampleTime + 60_000 }
const read = (stream: Parameters<typeof readMds>[1], body: unknown, over: Partial<MdsContext> = {}) =>
  readMds('2.0', stream, body, { ...context, ...over })
const readEvents = (...items: unknown[]) => read('events', { version: '2.0.0', events: items })

describe('MDS 2.0', () => {
  it('reads an event with every field that is stored', () => {
    expect(readEvents(samples.event())).toEqual({
      vehicles: [],
      trips: [],
      telemetry: [],
      stops: [],
      findings: [],
      events: [
        {
          operator: 'lark',
          deviceId: uuid(1),
          eventId: uuid(1001),
          time: sampleTime + 1000,
          state: 'on_trip',
          types: ['trip_start'],
          tripIds: [uuid(500)],
          lon: -82.9988,
          lat: 39.9612,
          accuracy: 4,
          battery: 80,
          published: sampleTime + 1400,
        },
      ],
    })
  })

  it('reads a vehicle, a trip, a telemetry point and a stop', () => {
    expect(read('vehicles', { vehicles: [samples.vehicle(2)] }).vehicles).toEqual([
      {
        operator: 'lark',
        deviceId: uuid(2),
        vehicleId: 'LK-2',
        vehicleType: 'scooter_standing',
        mode: 'micromobility',
        propulsionTypes: ['electric'],
        attributes: JSON.stringify(samples.vehicle(2)),
      },
    ])
    const [trip] = read('trips', { trips: [samples.trip()] }).trips
    expect({ ...trip, attributes: JSON.parse(trip?.attributes ?? '') }).toEqual({
      operator: 'lark',
      tripId: uuid(3001),
      deviceId: uuid(1),
      startTime: sampleTime - 600_000,
      endTime: sampleTime,
      startLon: -82.9988,
      startLat: 39.9612,
      endLon: -82.9988,
      endLat: 39.97,
      distance: 1500,
      duration: 600,
      published: sampleTime + 30_000,
      attributes: {
        trip_type: 'rider',
        parking_category: 'rack',
        standard_cost: 320,
        actual_cost: 300,
        currency: 'USD',
      },
    })
    expect(read('telemetry', { telemetry: [samples.telemetry()] }).telemetry).toEqual([
      {
        operator: 'lark',
        deviceId: uuid(1),
        telemetryId: uuid(2001),
        time: sampleTime + 1000,
        tripIds: [uuid(500)],
        lon: -82.9988,
        lat: 39.9612,
        speed: 3.5,
        heading: 90,
        accuracy: 4,
        battery: 79,
      },
    ])
    expect(read('stops', { stops: [samples.stop()] }).stops).toEqual([
      {
        operator: 'lark',
        stopId: uuid(4001),
        name: 'Broad and High',
        lon: -83.001,
        lat: 39.962,
        lastUpdated: sampleTime,
        attributes: JSON.stringify(samples.stop()),
      },
    ])
  })

  it('rejects the nil UUID, with which all records would be merged', () => {
    const nil = '00000000-0000-0000-0000-000000000000'
    const over: readonly [Record<string, unknown>, string][] = [
      [{ event_id: nil }, 'event_id'],
      [{ device_id: nil }, 'device_id'],
      [{ trip_ids: [nil] }, 'trip_ids'],
    ]
    for (const [fields, name] of over)
      expect(readEvents(samples.event(1, fields))).toMatchObject({
        events: [],
        findings: [{ field: `events[0].${name}` }],
      })
    expect(read('telemetry', { telemetry: [samples.telemetry(1, { trip_ids: [nil] })] }).telemetry).toEqual(
      [],
    )
  })

  it('reads a status as an event and a telemetry point', () => {
    const { events: found, telemetry, findings } = read('status', { vehicles_status: [samples.status()] })
    expect([found[0]?.eventId, telemetry[0]?.telemetryId, findings]).toEqual([uuid(1001), uuid(2001), []])
  })

  it('reads neither part of a status if one is invalid', () => {
    const one = read('status', {
      vehicles_status: [
        samples.status(1, { last_telemetry: { ...samples.telemetry(), location: null } }),
        samples.status(2),
      ],
    })
    expect(one.events.map(({ eventId }) => eventId)).toEqual([uuid(1002)])
    expect(one.findings).toMatchObject([
      { kind: 'schema', recordId: uuid(1), field: 'vehicles_status[0].last_telemetry.location' },
    ])
    expect(
      read('status', {
        vehicles_status: [samples.status(1, { last_event: samples.event(1, { device_id: uuid(9) }) })],
      }).findings,
    ).toMatchObject([
      {
        field: 'vehicles_status[0].last_event.device_id',
        reason: 'last_event.device_id is another vehicle.',
      },
    ])
  })

  it('reports an invalid record with its id, and reads the others', () => {
    const bad = samples.event(2, { location: { lat: 91, lng: -82 }, battery_percent: 101 })
    const { events: good, findings } = readEvents(samples.event(1), bad, samples.event(3))
    expect(good.map(({ eventId }) => eventId)).toEqual([uuid(1001), uuid(1003)])
    expect(findings).toEqual([
      {
        kind: 'schema',
        recordId: uuid(1002),
        field: 'events[1].location.lat',
        reason:
          'location.lat must be a number from -90 to 90; battery_percent must be an integer from 0 to 100.',
        raw: JSON.stringify(bad),
      },
    ])
  })

  it.each([
    ['device_id', undefined, 'device_id is missing.'],
    ['device_id', null, 'device_id is missing.'],
    ['event_id', 'x', 'event_id must be a UUID.'],
    [
      'vehicle_state',
      'parked',
      'vehicle_state must be one of available, non_operational, reserved, on_trip, stopped, non_contactable, removed, elsewhere, missing.',
    ],
    ['event_types', [], 'event_types must be a list of at least one of agency_drop_off,'],
    ['event_types', ['trip_start', 'flight'], 'event_types must be a list'],
    ['timestamp', String(sampleTime), 'timestamp must be a time in whole milliseconds'],
    ['timestamp', 1_514_764_799_999, 'timestamp is before 2018.'],
    ['timestamp', sampleTime + 60_000 + 24 * hourMs + 1, 'timestamp is more than a day after its receipt.'],
    ['timestamp', sampleTime + 0.5, 'timestamp must be a time in whole'],
    ['publication_time', 9e15, 'publication_time is more than a day after its receipt.'],
    ['location', undefined, 'location is missing.'],
    ['location', [1, 2], 'location must be an object.'],
    [
      'location',
      { lat: '1', lng: 181 },
      'location.lat must be a number from -90 to 90; location.lng must be a number from -180 to 180.',
    ],
    ['trip_ids', null, 'trip_ids is missing.'],
    ['trip_ids', ['1'], 'trip_ids must be a list of UUIDs'],
    ['trip_ids', Array.from({ length: 1001 }, () => samples.uuid(1)), 'trip_ids must be a list of UUIDs'],
    ['battery_percent', 50.5, 'battery_percent must be an integer from 0 to 100.'],
    ['associated_ticket', 'x'.repeat(256), 'associated_ticket must be a text of at most 255 characters.'],
    ['provider_id', uuid(3), 'provider_id is not the one of this feed.'],
  ])('refuses an event: %s', (key, value, reason) => {
    const { events: none, findings } = readEvents(samples.event(1, { [key]: value }))
    expect(none).toEqual([])
    expect(findings[0]?.reason.slice(0, reason.length)).toBe(reason)
  })

  it('accepts any provider if the feed names none, and the named one in upper case', () => {
    expect(
      read('events', { events: [samples.event(1, { provider_id: uuid(3) })] }, { providerId: '' }).findings,
    ).toEqual([])
    expect(readEvents(samples.event(1, { provider_id: providerId.toUpperCase() })).findings).toEqual([])
  })

  it('converts ids to lower case', () => {
    const [event] = readEvents(
      samples.event(1, {
        device_id: 'ABCDEF00-0000-4000-8000-00000000000A',
        trip_ids: ['ABCDEF00-0000-4000-8000-00000000000B'],
      }),
    ).events
    expect([event?.deviceId, event?.tripIds]).toEqual([
      'abcdef00-0000-4000-8000-00000000000a',
      ['abcdef00-0000-4000-8000-00000000000b'],
    ])
  })

  it('reads a record with a time that is ahead and reports it', () => {
    const { events: accepted, findings } = readEvents(
      samples.event(1, { timestamp: sampleTime + 121_000, publication_time: sampleTime + 121_000 }),
      samples.event(2, { timestamp: sampleTime + 120_000 }),
    )
    expect(accepted).toHaveLength(2)
    expect(findings).toMatchObject([
      {
        kind: 'clock_skew',
        recordId: uuid(1001),
        field: 'events[0].timestamp',
        reason: 'timestamp is 61 s after its receipt.',
      },
    ])
  })

  it('accepts events that fit no state machine, and unknown fields', () => {
    expect(
      readEvents(
        samples.event(1, { vehicle_state: 'removed', event_types: ['trip_start', 'battery_low'], wings: 2 }),
      ).events,
    ).toMatchObject([{ state: 'removed', types: ['trip_start', 'battery_low'] }])
  })

  it('reads missing batteries and speeds of -1 as unknown', () => {
    expect(
      readEvents(samples.event(1, { battery_percent: undefined, location: { lat: 1, lng: 2 } })).events[0],
    ).toMatchObject({ battery: Number.NaN, accuracy: Number.NaN })
    expect(
      read('telemetry', {
        telemetry: [samples.telemetry(1, { location: samples.gps({ speed: -1, heading: null }) })],
      }).telemetry[0],
    ).toMatchObject({ speed: Number.NaN, heading: Number.NaN })
  })

  it('requires the trip of a point, even if there is none', () => {
    expect(
      read('telemetry', { telemetry: [samples.telemetry(1, { trip_ids: null })] }).telemetry[0]?.tripIds,
    ).toEqual([])
    expect(
      read('telemetry', {
        telemetry: [samples.telemetry(1, { trip_ids: undefined, journey_id: undefined })],
      }).findings[0]?.reason,
    ).toBe('trip_ids is missing; journey_id is missing.')
  })

  it.each([
    ['bicycle', ['human'], 'pedal_bicycle'],
    ['bicycle', ['electric_assist', 'human'], 'bicycle'],
    ['cargo_bicycle', ['electric'], 'bicycle'],
    ['cargo_bicycle', ['human'], 'pedal_bicycle'],
    ['scooter_standing', ['electric'], 'scooter_standing'],
    ['scooter_seated', ['electric'], 'scooter_seated'],
    ['moped', ['electric'], 'moped'],
    ['car', ['combustion'], 'car'],
    ['delivery_robot', ['electric'], 'delivery_robot'],
    ['bus', ['hybrid'], 'other'],
    ['truck', ['hydrogen_fuel_cell'], 'other'],
    ['motorcycle', ['combustion'], 'other'],
    ['other', ['human'], 'other'],
  ])('a %s by %j is our %s', (vehicle_type, propulsion_types, ours) => {
    expect(
      read('vehicles', { vehicles: [samples.vehicle(1, { vehicle_type, propulsion_types })] }).vehicles[0]
        ?.vehicleType,
    ).toBe(ours)
  })

  it('MDS 2.0 uses the mode of the feed', () => {
    expect(read('vehicles', { vehicles: [samples.vehicle()] }, { mode: 'car-share' }).vehicles[0]?.mode).toBe(
      'car-share',
    )
  })

  it('reports a body without the expected list', () => {
    for (const body of [null, 3, 'x', [], {}, { trips: [] }, { events: {} }, { data: { events: [] } }])
      expect(read('events', body).findings).toMatchObject([
        { kind: 'schema', recordId: '', field: 'events', reason: 'The body contains no list of events.' },
      ])
    expect(read('events', { events: [] }).findings).toEqual([])
  })

  it('truncates the record in a finding', () => {
    expect(readEvents({ junk: 'x'.repeat(5_000) }).findings[0]?.raw).toHaveLength(2_000)
  })
})
