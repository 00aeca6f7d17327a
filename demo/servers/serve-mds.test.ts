import { describe, expect, it } from 'vitest'
import { readMds } from '#server/feeds/mds/read-mds.ts'
import { allPages, askDemo } from '../../test/demo/ask-demo.ts'
import { hasSchemas, officialSchema } from '../../test/demo/official-schema.ts'
import { liveModel } from '../live/live-model.ts'
import { operators } from '../operators.ts'
import { smallCity } from '../small-city.ts'
import { serveMds } from './serve-mds.ts'

const [minute, hour] = [60_000, 3_600_000]
/** Half past noon in New York. */
const at = Date.parse('2026-06-10T16:30:00Z')
const model = liveModel(smallCity(), 5)
const server = serveMds(model, 'zephyr', 'token')
const ask = askDemo(server, { authorization: 'Bearer token', accept: 'application/vnd.mds+json;version=2.0' })
const context = { operator: 'zephyr', providerId: operators[0]!.providerId!, received: at }
const listOf = (name: string) => (body: Record<string, unknown>) => body[name] as unknown[]

describe('Zephyr', () => {
  it.each([
    ['vehicles', '/vehicles', 'vehicles', 1300],
    ['status', '/vehicles/status', 'vehicles_status', 900],
    ['events', '/events/historical?event_time=2026-06-10T15', 'events', 200],
    ['recent', `/events/recent?start_time=${at - 20 * minute}&end_time=${at}`, 'events', 60],
    ['trips', '/trips?end_time=2026-06-10T15', 'trips', 80],
    ['telemetry', '/telemetry?telemetry_time=2026-06-10T15', 'telemetry', 2000],
  ] as const)('tells its %s so that our readers have nothing to say', (stream, address, name, least) => {
    const items = allPages(ask, address, at, listOf(name))
    expect(items.length).toBeGreaterThanOrEqual(least)
    const records = readMds('2.0', stream, { version: '2.0', [name]: items }, context)
    expect(records.findings).toEqual([])
    const kept = Object.values(records).reduce((sum, list) => sum + list.length, 0)
    expect(kept).toBe(stream === 'status' ? 2 * items.length : items.length)
  })

  it.runIf(hasSchemas).each([
    ['mds/derived/event.fields-only.json', '/events/historical?event_time=2026-06-10T15', 'events'],
    ['mds/derived/vehicle-status.fields-only.json', '/vehicles/status', 'vehicles_status'],
    ['mds/v2.0-json/trip.json', '/trips?end_time=2026-06-10T15', 'trips'],
    ['mds/v2.0-json/telemetry.json', '/telemetry?telemetry_time=2026-06-10T15', 'telemetry'],
  ])('holds to %s', (schema, address, name) => {
    const check = officialSchema(schema)
    for (const item of allPages(ask, address, at, listOf(name)).slice(0, 300)) expect(check(item)).toBeNull()
  })

  it('has scooters of two types, and tells of an hour what happened in it', () => {
    const { vehicles } = readMds(
      '2.0',
      'vehicles',
      { vehicles: allPages(ask, '/vehicles', at, listOf('vehicles')) },
      context,
    )
    expect(new Set(vehicles.map(({ vehicleType }) => vehicleType))).toEqual(
      new Set(['scooter_standing', 'scooter_seated']),
    )
    const { events } = readMds(
      '2.0',
      'events',
      ask('/events/historical?event_time=2026-06-10T15', at).body,
      context,
    )
    expect(events.every(({ time }) => time >= at - 1.5 * hour && time < at - hour / 2)).toBe(true)
  })

  it('tells the same of an hour every time, and all hours tell what the model knows', () => {
    const eventsOf = (of: string) =>
      listOf('events')(ask(`/events/historical?event_time=2026-06-10T${of}`, at).body)
    expect(eventsOf('14')).toEqual(eventsOf('14'))
    expect([...eventsOf('14'), ...eventsOf('15')].length).toBe(
      model.events('zephyr', at - 2.5 * hour, at - hour / 2).length,
    )
  })

  it('has no answer for an hour that is not over, and says "soon" for two minutes after', () => {
    const statusAt = (ms: number): number => ask('/trips?end_time=2026-06-10T16', ms).status
    const end = Date.parse('2026-06-10T17:00:00Z')
    expect([
      statusAt(end - 1),
      statusAt(end),
      statusAt(end + 2 * minute - 1),
      statusAt(end + 2 * minute),
    ]).toEqual([404, 202, 202, 200])
  })

  it('refuses what is not right, in words of MDS', () => {
    expect(ask('/trips', at)).toMatchObject({
      status: 400,
      body: { error: 'missing_param', error_details: ['end_time'] },
    })
    expect(ask('/trips?end_time=today', at)).toMatchObject({ status: 400, body: { error: 'bad_param' } })
    expect(ask('/events/recent?start_time=1', at).status).toBe(400)
    expect(ask(`/events/recent?start_time=${at - 20 * 24 * hour}&end_time=${at}`, at).status).toBe(404)
    expect(ask('/nothing', at).status).toBe(404)
    expect(ask('/vehicles', at, { method: 'POST' }).status).toBe(405)
    expect(ask('/vehicles', at, { headers: { accept: 'application/vnd.mds+json;version=1.2' } }).status).toBe(
      406,
    )
    expect(ask('/vehicles', at, { headers: { authorization: 'Bearer other' } }).status).toBe(401)
    expect(askDemo(server)('/vehicles', at).status).toBe(401)
  })

  it('pages lists that may be long, and answers for one vehicle', () => {
    const first = ask('/vehicles', at).body
    expect((first['vehicles'] as unknown[]).length).toBe(500)
    expect(first['links']).toEqual({
      first: 'http://demo/vehicles?page=1',
      prev: null,
      next: 'http://demo/vehicles?page=2',
      last: 'http://demo/vehicles?page=3',
    })
    expect(ask('/trips?end_time=2026-06-10T15', at).body['links']).toBeUndefined()
    const [{ device_id: id } = { device_id: '' }] = first['vehicles'] as { device_id: string }[]
    expect(ask(`/vehicles/${id}`, at).body['vehicles']).toEqual([(first['vehicles'] as unknown[])[0]])
    expect(ask('/vehicles/00000000-0000-4000-8000-000000000000', at).status).toBe(404)
  })

  it('tells of vehicles as they stand: their last point belongs to their trip', () => {
    const statuses = allPages(ask, '/vehicles/status', at, listOf('vehicles_status')) as {
      last_event: { vehicle_state: string; trip_ids?: string[] }
      last_telemetry: { trip_ids: string[] | null; timestamp: number }
    }[]
    const riding = statuses.filter(({ last_event: { vehicle_state: state } }) => state === 'on_trip')
    expect(riding.length).toBeGreaterThan(5)
    for (const { last_event: event, last_telemetry: point } of riding)
      expect([point.trip_ids, at - point.timestamp < 10_000]).toEqual([event.trip_ids, true])
  })
})
