import { describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#contract/period.ts'
import { readMds } from '#server/feeds/mds/read-mds.ts'
import { readAllPages, demoClient } from '../../test/demo/demo-client.ts'
import { hasSchemas, loadOfficialSchema } from '../../test/demo/official-schema.ts'
import { FleetSimulation } from '../live/fleet-simulation.ts'
import { operators } from '../operators.ts'
import { makeSmallCity } from '../small-city.ts'
import { serveEarlierMds } from './serve-earlier-mds.ts'
import { noFaults, createFeedFaults } from './feed-faults.ts'

const nowMs = Date.parse('2026-06-10T16:30:00Z')
const client = { id: 'city', secret: 's+cret/1' }
const simulation = new FleetSimulation(makeSmallCity(), 5)
const withoutFaults = serveEarlierMds(simulation, 'ternbikes', client, noFaults)
const faults = createFeedFaults(5)
const withFaults = serveEarlierMds(simulation, 'ternbikes', client, faults)
const context = { operator: 'ternbikes', providerId: operators[1]!.providerId!, received: nowMs }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const requestToken = (server: typeof withoutFaults, ms = nowMs): string =>
  String(
    demoClient(server)('/oauth/token', ms, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.id,
        client_secret: client.secret,
      }).toString(),
      headers: form,
    }).body['access_token'],
  )
const signedIn = (server: typeof withoutFaults, ms = nowMs) =>
  demoClient(server, {
    authorization: `Bearer ${requestToken(server, ms)}`,
    accept: 'application/vnd.mds+json;version=1.2',
  })
const request = signedIn(withoutFaults)
const pickList = (name: string) => (body: Record<string, unknown>) =>
  (body['data'] as Record<string, unknown[]>)[name] ?? []

describe('an MDS 1.2 server without faults', () => {
  it.each([
    ['vehicles', '/vehicles', 'vehicles', 500],
    ['events', '/status_changes?event_time=2026-06-10T15', 'status_changes', 100],
    ['recent', `/events?start_time=${nowMs - 20 * minuteMs}&end_time=${nowMs}`, 'status_changes', 20],
    ['trips', '/trips?end_time=2026-06-10T15', 'trips', 30],
  ] as const)('serves %s without findings', (stream, address, name, minimum) => {
    const items = readAllPages(request, address, nowMs, pickList(name))
    expect(items.length).toBeGreaterThanOrEqual(minimum)
    const records = readMds('1.2', stream, { version: '1.2.0', data: { [name]: items } }, context)
    expect(records.findings).toEqual([])
    expect(new Set(records.vehicles.map(({ vehicleType }) => vehicleType))).toEqual(
      new Set(['pedal_bicycle', 'bicycle']),
    )
  })

  it('serves the route of each trip', () => {
    const trips = pickList('trips')(request('/trips?end_time=2026-06-10T15', nowMs).body)
    const { telemetry } = readMds('1.2', 'trips', { data: { trips } }, context)
    expect(telemetry.length).toBeGreaterThan(trips.length * 10)
  })

  it.runIf(hasSchemas).each([
    ['vehicles', '/vehicles'],
    ['status_changes', '/status_changes?event_time=2026-06-10T15'],
    ['events', `/events?start_time=${nowMs - 20 * minuteMs}&end_time=${nowMs}`],
    ['trips', '/trips?end_time=2026-06-10T15'],
    ['stops', '/stops'],
  ])('matches the official schema of %s', (name, address) => {
    expect(loadOfficialSchema(`mds/v1.2/provider/${name}.json`)(request(address, nowMs).body)).toBeNull()
  })
})

describe('the OAuth token', () => {
  it('issues an OAuth token for valid credentials in a form or a header', () => {
    const plain = demoClient(withoutFaults)
    const basic = (id: string, secret: string) => ({
      ...form,
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
    })
    const body = 'grant_type=client_credentials'
    expect(
      plain('/oauth/token', nowMs, { method: 'POST', body, headers: basic(client.id, client.secret) }),
    ).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } })
    expect(
      plain('/oauth/token', nowMs, { method: 'POST', body, headers: basic(client.id, 'other') }).status,
    ).toBe(401)
    expect(
      plain('/oauth/token', nowMs, {
        method: 'POST',
        body: 'grant_type=password',
        headers: basic(client.id, client.secret),
      }).status,
    ).toBe(400)
    expect(plain('/oauth/token', nowMs).status).toBe(405)
  })

  it('an OAuth token is valid for an hour, and cannot be forged', () => {
    expect(request('/stops', nowMs + hourMs - 1).status).toBe(200)
    expect(request('/stops', nowMs + hourMs + 1).status).toBe(401)
    expect(demoClient(withoutFaults)('/stops', nowMs).status).toBe(401)
    const [, signature = ''] = requestToken(withoutFaults).split('.')
    expect(
      demoClient(withoutFaults, { authorization: `Bearer ${nowMs + 9 * hourMs}.${signature}` })(
        '/stops',
        nowMs,
      ).status,
    ).toBe(401)
  })
})

describe('an MDS 1.2 server with faults', () => {
  const late = nowMs + 2 * dayMs
  const lateRequest = signedIn(withFaults, late)
  const changes = Array.from({ length: 44 }, (_, i) => nowMs - hourMs / 2 + (i - 40) * hourMs).flatMap((ms) =>
    pickList('status_changes')(
      lateRequest(`/status_changes?event_time=${new Date(ms).toISOString().slice(0, 13)}`, late).body,
    ),
  )
  const expected = simulation.events('ternbikes', nowMs - 40.5 * hourMs, nowMs + 3.5 * hourMs)
  const records = readMds(
    '1.2',
    'events',
    { data: { status_changes: changes } },
    { ...context, received: late },
  )

  it('misses some trip ends, but reports the trips', () => {
    const ends = expected.filter(({ types }) => types[0] === 'trip_end')
    const missing = ends.filter(({ kind, number }) => faults.isMissing(kind, number))
    expect(missing.length).toBeGreaterThan(0)
    const ids = new Set(
      changes.map(
        (record) =>
          (record as { trip_id?: string; event_types: string[] }).event_types.includes('trip_end') &&
          (record as { trip_id?: string }).trip_id,
      ),
    )
    expect(ids.size).toBeLessThanOrEqual(ends.length - missing.length + 1)
    const [lost] = missing
    const trips = pickList('trips')(
      lateRequest(`/trips?end_time=${new Date(lost!.time).toISOString().slice(0, 13)}`, late).body,
    ) as { device_id: string; end_time: number }[]
    expect(
      trips.some(({ device_id: id, end_time: end }) => id === lost!.vehicle.id && end === lost!.time),
    ).toBe(true)
  })

  it('an MDS 1.2 server with faults has a few duplicates, events three minutes ahead, and schema violations', () => {
    expect(changes.length - new Set(changes.map((record) => JSON.stringify(record))).size).toBeGreaterThan(0)
    const times = new Set(expected.map(({ time, vehicle }) => `${vehicle.id} ${time}`))
    const moved = records.events.filter(({ deviceId, time }) => !times.has(`${deviceId} ${time}`))
    expect(moved.length).toBeGreaterThan(0)
    expect(moved.every(({ deviceId, time }) => times.has(`${deviceId} ${time - 3 * minuteMs}`))).toBe(true)
    expect(
      records.findings.every(({ kind, field }) => kind === 'schema' && field.endsWith('vehicle_state')),
    ).toBe(true)
    expect(records.findings.length).toBeLessThan(expected.length / 500)
  })

  it('delays some hours', () => {
    const hours = Array.from({ length: 48 }, (_, i) => Date.parse('2026-06-08T00:00:00Z') + i * hourMs)
    const first = hours.find((ms) => faults.lateMs(ms) > 0)!
    const end = first + hourMs
    const address = `/status_changes?event_time=${new Date(first).toISOString().slice(0, 13)}`
    const getStatusAt = (ms: number): number => signedIn(withFaults, ms)(address, ms).status
    expect(getStatusAt(end + 30 * minuteMs)).toBe(202)
    expect(getStatusAt(end + faults.lateMs(first) + 2 * minuteMs)).toBe(200)
    expect(signedIn(withFaults, end)(address, end - 1).status).toBe(404)
  })

  it('shows a vehicle with a missed trip end as on a trip', () => {
    const lost = expected.find(({ kind, number }) => faults.isMissing(kind, number))!
    const vehicles = readAllPages(
      signedIn(withFaults, lost.time + 1),
      '/vehicles',
      lost.time + 1,
      pickList('vehicles'),
    ) as { device_id: string; last_vehicle_state: string }[]
    expect(vehicles.find(({ device_id: id }) => id === lost.vehicle.id)?.last_vehicle_state).toBe('on_trip')
  })
})
