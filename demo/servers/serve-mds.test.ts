import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '#contract/period.ts'
import { readMds } from '#server/feeds/mds/read-mds.ts'
import { readAllPages, demoClient } from '../../test/demo/demo-client.ts'
import { hasSchemas, loadOfficialSchema } from '../../test/demo/official-schema.ts'
import { FleetSimulation } from '../live/fleet-simulation.ts'
import { operators } from '../operators.ts'
import { makeSmallCity } from '../small-city.ts'
import { serveMds } from './serve-mds.ts'

/** 12:30 p.m. in New York. */
const nowMs = Date.parse('2026-06-10T16:30:00Z')
const simulation = new FleetSimulation(makeSmallCity(), 5)
const server = serveMds(simulation, 'zephyr', 'token')
const request = demoClient(server, {
  authorization: 'Bearer token',
  accept: 'application/vnd.mds+json;version=2.0',
})
const context = { operator: 'zephyr', providerId: operators[0]!.providerId!, received: nowMs }
const pickList = (name: string) => (body: Record<string, unknown>) => body[name] as unknown[]

describe('serveMds', () => {
  it.each([
    ['vehicles', '/vehicles', 'vehicles', 1300],
    ['status', '/vehicles/status', 'vehicles_status', 900],
    ['events', '/events/historical?event_time=2026-06-10T15', 'events', 200],
    ['recent', `/events/recent?start_time=${nowMs - 20 * minuteMs}&end_time=${nowMs}`, 'events', 60],
    ['trips', '/trips?end_time=2026-06-10T15', 'trips', 80],
    ['telemetry', '/telemetry?telemetry_time=2026-06-10T15', 'telemetry', 2000],
  ] as const)('serves %s without findings', (stream, address, name, minimum) => {
    const items = readAllPages(request, address, nowMs, pickList(name))
    expect(items.length).toBeGreaterThanOrEqual(minimum)
    const records = readMds('2.0', stream, { version: '2.0', [name]: items }, context)
    expect(records.findings).toEqual([])
    const total = Object.values(records).reduce((sum, list) => sum + list.length, 0)
    expect(total).toBe(stream === 'status' ? 2 * items.length : items.length)
  })

  it.runIf(hasSchemas).each([
    ['mds/derived/event.fields-only.json', '/events/historical?event_time=2026-06-10T15', 'events'],
    ['mds/derived/vehicle-status.fields-only.json', '/vehicles/status', 'vehicles_status'],
    ['mds/v2.0-json/trip.json', '/trips?end_time=2026-06-10T15', 'trips'],
    ['mds/v2.0-json/telemetry.json', '/telemetry?telemetry_time=2026-06-10T15', 'telemetry'],
  ])('matches %s', (schema, address, name) => {
    const check = loadOfficialSchema(schema)
    for (const item of readAllPages(request, address, nowMs, pickList(name)).slice(0, 300))
      expect(check(item)).toBeNull()
  })

  it('serves two vehicle types, and the events of the requested hour', () => {
    const { vehicles } = readMds(
      '2.0',
      'vehicles',
      { vehicles: readAllPages(request, '/vehicles', nowMs, pickList('vehicles')) },
      context,
    )
    expect(new Set(vehicles.map(({ vehicleType }) => vehicleType))).toEqual(
      new Set(['scooter_standing', 'scooter_seated']),
    )
    const { events } = readMds(
      '2.0',
      'events',
      request('/events/historical?event_time=2026-06-10T15', nowMs).body,
      context,
    )
    expect(events.every(({ time }) => time >= nowMs - 1.5 * hourMs && time < nowMs - hourMs / 2)).toBe(true)
  })

  it('serves an hour the same each time, and all events over the hours', () => {
    const requestEvents = (hourOfDay: string) =>
      pickList('events')(request(`/events/historical?event_time=2026-06-10T${hourOfDay}`, nowMs).body)
    expect(requestEvents('14')).toEqual(requestEvents('14'))
    expect([...requestEvents('14'), ...requestEvents('15')].length).toBe(
      simulation.events('zephyr', nowMs - 2.5 * hourMs, nowMs - hourMs / 2).length,
    )
  })

  it('responds with 404 for an hour that has not ended, and 202 for two minutes after', () => {
    const getStatusAt = (ms: number): number => request('/trips?end_time=2026-06-10T16', ms).status
    const end = Date.parse('2026-06-10T17:00:00Z')
    expect([
      getStatusAt(end - 1),
      getStatusAt(end),
      getStatusAt(end + 2 * minuteMs - 1),
      getStatusAt(end + 2 * minuteMs),
    ]).toEqual([404, 202, 202, 200])
  })

  it('rejects invalid requests with MDS errors', () => {
    expect(request('/trips', nowMs)).toMatchObject({
      status: 400,
      body: { error: 'missing_param', error_details: ['end_time'] },
    })
    expect(request('/trips?end_time=today', nowMs)).toMatchObject({
      status: 400,
      body: { error: 'bad_param' },
    })
    expect(request('/events/recent?start_time=1', nowMs).status).toBe(400)
    expect(
      request(`/events/recent?start_time=${nowMs - 20 * 24 * hourMs}&end_time=${nowMs}`, nowMs).status,
    ).toBe(404)
    expect(request('/nothing', nowMs).status).toBe(404)
    expect(request('/vehicles', nowMs, { method: 'POST' }).status).toBe(405)
    expect(
      request('/vehicles', nowMs, { headers: { accept: 'application/vnd.mds+json;version=1.2' } }).status,
    ).toBe(406)
    expect(request('/vehicles', nowMs, { headers: { authorization: 'Bearer other' } }).status).toBe(401)
    expect(demoClient(server)('/vehicles', nowMs).status).toBe(401)
  })

  it('paginates long lists, and serves a single vehicle', () => {
    const first = request('/vehicles', nowMs).body
    expect((first['vehicles'] as unknown[]).length).toBe(500)
    expect(first['links']).toEqual({
      first: 'http://demo/vehicles?page=1',
      prev: null,
      next: 'http://demo/vehicles?page=2',
      last: 'http://demo/vehicles?page=3',
    })
    expect(request('/trips?end_time=2026-06-10T15', nowMs).body['links']).toBeUndefined()
    const [{ device_id: id } = { device_id: '' }] = first['vehicles'] as { device_id: string }[]
    expect(request(`/vehicles/${id}`, nowMs).body['vehicles']).toEqual([(first['vehicles'] as unknown[])[0]])
    expect(request('/vehicles/00000000-0000-4000-8000-000000000000', nowMs).status).toBe(404)
  })

  it('serves the last point of a vehicle with its current trip', () => {
    const statuses = readAllPages(request, '/vehicles/status', nowMs, pickList('vehicles_status')) as {
      last_event: { vehicle_state: string; trip_ids?: string[] }
      last_telemetry: { trip_ids: string[] | null; timestamp: number }
    }[]
    const riding = statuses.filter(({ last_event: { vehicle_state: state } }) => state === 'on_trip')
    expect(riding.length).toBeGreaterThan(5)
    for (const { last_event: event, last_telemetry: point } of riding)
      expect([point.trip_ids, nowMs - point.timestamp < 10_000]).toEqual([event.trip_ids, true])
  })
})
