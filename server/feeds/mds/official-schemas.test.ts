import { describe, expect, it } from 'vitest'
import * as samples from '../../../test/mds-samples.ts'
import { hasSchemas, readSchema, createValidator } from '../../../test/mds-schemas.ts'
import type { MdsContext, MdsVersion } from './mds-context.ts'
import { readMds } from './read-mds.ts'
import { type ItemKind, readMdsItem } from './read-mds-item.ts'

const context: MdsContext = {
  operator: 'lark',
  providerId: samples.providerId,
  received: samples.sampleTime + 60_000,
}
const read = (version: MdsVersion, kind: ItemKind, item: unknown) =>
  readMdsItem(item, { version, kind, context }).errors

describe.runIf(hasSchemas)('records that the official schemas accept (skipped without the schemas)', () => {
  it.each([
    ['derived/event.fields-only.json', 'event', samples.event()],
    ['derived/vehicle-status.fields-only.json', 'status', samples.status()],
    ['v2.0-json/telemetry.json', 'telemetry', samples.telemetry()],
    ['v2.0-json/trip.json', 'trip', samples.trip(1, { trip_type: ['rebalance'] })],
    ['v2.0-json/stop.json', 'stop', samples.stop()],
    [
      'v2.0-json/mutable-stop.json',
      'stop_change',
      { stop_id: samples.uuid(1), last_updated: samples.sampleTime, num_vehicles_available: { bicycle: 2 } },
    ],
  ] as const)('%s', (name, kind, item) => {
    expect(createValidator(name)(item)).toBeNull()
    expect(read('2.0', kind, item)).toEqual([])
  })

  it('records that the official schemas accept include a vehicle, by the fields of its schema, which as a whole accepts only those of a single mode', () => {
    const schema = readSchema('v2.0-json/vehicle.json')
    const fields = new Set(
      Object.keys(schema.allOf.find(({ properties }) => properties?.['device_id'])?.properties ?? {}),
    )
    expect(Object.keys(samples.vehicle()).filter((key) => !fields.has(key))).toEqual([])
    for (const key of schema.required)
      expect(read('2.0', 'vehicle', samples.vehicle(1, { [key]: undefined }))).toEqual([
        { field: key, reason: 'is missing', isMissing: true },
      ])
    expect(read('2.0', 'vehicle', samples.vehicle())).toEqual([])
  })

  const version = '1.2.0'
  it.each([
    [
      'v1.2/provider/vehicles.json',
      'vehicles',
      {
        version,
        last_updated: samples.sampleTime,
        ttl: 60_000,
        data: { vehicles: [samples.earlierVehicle()] },
      },
      'events',
    ],
    [
      'v1.2/provider/status_changes.json',
      'events',
      { version, data: { status_changes: [samples.statusChange()] } },
      'events',
    ],
    [
      'v1.2/provider/events.json',
      'recent',
      { version, links: { next: null }, data: { status_changes: [samples.statusChange()] } },
      'events',
    ],
    ['v1.2/provider/trips.json', 'trips', { version, data: { trips: [samples.earlierTrip()] } }, 'trips'],
    [
      'v1.2/provider/stops.json',
      'stops',
      { version, last_updated: samples.sampleTime, ttl: 60_000, data: { stops: [samples.earlierStop()] } },
      'stops',
    ],
  ] as const)('%s', (name, stream, body, records) => {
    expect(createValidator(name)(body)).toBeNull()
    const result = readMds('1.2', stream, body, context)
    expect(result.findings).toEqual([])
    expect(result[records]).toHaveLength(1)
  })

  it.each([
    ['v1.2/agency/post_vehicle.json', 'vehicle', samples.registration(), samples.registration()],
    [
      'v1.2/agency/post_vehicle_event.json',
      'pushed_event',
      samples.pushedEvent(),
      { device_id: samples.uuid(1), ...samples.pushedEvent() },
    ],
    [
      'v1.2/agency/post_vehicle_telemetry.json',
      'telemetry',
      { data: [samples.pushedPoint()] },
      samples.pushedPoint(),
    ],
    ['v1.2/agency/post_stops.json', 'stop', { stops: [samples.earlierStop()] }, samples.earlierStop()],
    [
      'v1.2/agency/put_stops.json',
      'stop_change',
      { stops: [{ stop_id: samples.uuid(1), num_spots_disabled: { bicycle: 1 } }] },
      { stop_id: samples.uuid(1), num_spots_disabled: { bicycle: 1 } },
    ],
  ] as const)('%s', (name, kind, body, item) => {
    expect(createValidator(name)(body)).toBeNull()
    expect(read('1.2', kind, item)).toEqual([])
  })

  it.each([
    ['derived/event.fields-only.json', 'event', samples.event],
    ['v2.0-json/telemetry.json', 'telemetry', samples.telemetry],
    [
      'v2.0-json/trip.json',
      'trip',
      (n: number, over: Record<string, unknown>) => samples.trip(n, { trip_type: undefined, ...over }),
    ],
    ['v2.0-json/stop.json', 'stop', samples.stop],
  ] as const)('refuses records of %s with each field that the schema refuses', (name, kind, make) => {
    const check = createValidator(name)
    const wrong: unknown[] = [
      '',
      'no',
      -1,
      1.5,
      1e15,
      true,
      [],
      {},
      [1],
      ['no'],
      { lat: 91, lng: 0 },
      { lat: 0 },
      1e308,
    ]
    const leniency: string[] = []
    for (const key of Object.keys(make(1, {})))
      for (const value of wrong) {
        const item = make(1, { [key]: value })
        if (check(item) !== null && !read('2.0', kind, item).length)
          leniency.push(`${key} = ${JSON.stringify(value)}`)
      }
    // By the prose, types of trips are a single value. An empty list means none, like null.
    expect(leniency.filter((problem) => !/^trip_(type|ids = \[\])/.test(problem))).toEqual([])
  })
})
