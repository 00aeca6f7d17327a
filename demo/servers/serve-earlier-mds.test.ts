import { describe, expect, it } from 'vitest'
import { readMds } from '#server/feeds/mds/read-mds.ts'
import { allPages, askDemo } from '../../test/demo/ask-demo.ts'
import { hasSchemas, officialSchema } from '../../test/demo/official-schema.ts'
import { liveModel } from '../live/live-model.ts'
import { operators } from '../operators.ts'
import { smallCity } from '../small-city.ts'
import { serveEarlierMds } from './serve-earlier-mds.ts'
import { noSlips, slipsOf } from './slips.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const at = Date.parse('2026-06-10T16:30:00Z')
const client = { id: 'city', secret: 's+cret/1' }
const model = liveModel(smallCity(), 5)
const careful = serveEarlierMds(model, 'ternbikes', client, noSlips)
const slips = slipsOf(5)
const careless = serveEarlierMds(model, 'ternbikes', client, slips)
const context = { operator: 'ternbikes', providerId: operators[1]!.providerId!, received: at }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const tokenOf = (server: typeof careful, ms = at): string =>
  String(
    askDemo(server)('/oauth/token', ms, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client.id,
        client_secret: client.secret,
      }).toString(),
      headers: form,
    }).body['access_token'],
  )
const signedIn = (server: typeof careful, ms = at) =>
  askDemo(server, {
    authorization: `Bearer ${tokenOf(server, ms)}`,
    accept: 'application/vnd.mds+json;version=1.2',
  })
const ask = signedIn(careful)
const listOf = (name: string) => (body: Record<string, unknown>) =>
  (body['data'] as Record<string, unknown[]>)[name] ?? []

describe('Tern Bikes, if it were careful,', () => {
  it.each([
    ['vehicles', '/vehicles', 'vehicles', 500],
    ['events', '/status_changes?event_time=2026-06-10T15', 'status_changes', 100],
    ['recent', `/events?start_time=${at - 20 * minute}&end_time=${at}`, 'status_changes', 20],
    ['trips', '/trips?end_time=2026-06-10T15', 'trips', 30],
  ] as const)('would tell its %s so that our readers have nothing to say', (stream, address, name, least) => {
    const items = allPages(ask, address, at, listOf(name))
    expect(items.length).toBeGreaterThanOrEqual(least)
    const records = readMds('1.2', stream, { version: '1.2.0', data: { [name]: items } }, context)
    expect(records.findings).toEqual([])
    expect(new Set(records.vehicles.map(({ vehicleType }) => vehicleType))).toEqual(
      new Set(['pedal_bicycle', 'bicycle']),
    )
  })

  it('would tell the way of each trip', () => {
    const trips = listOf('trips')(ask('/trips?end_time=2026-06-10T15', at).body)
    const { telemetry } = readMds('1.2', 'trips', { data: { trips } }, context)
    expect(telemetry.length).toBeGreaterThan(trips.length * 10)
  })

  it.runIf(hasSchemas).each([
    ['vehicles', '/vehicles'],
    ['status_changes', '/status_changes?event_time=2026-06-10T15'],
    ['events', `/events?start_time=${at - 20 * minute}&end_time=${at}`],
    ['trips', '/trips?end_time=2026-06-10T15'],
    ['stops', '/stops'],
  ])('would hold to the official schema of %s', (name, address) => {
    expect(officialSchema(`mds/v1.2/provider/${name}.json`)(ask(address, at).body)).toBeNull()
  })
})

describe('the token of Tern Bikes', () => {
  it('is given for the right credentials, in a form or a header', () => {
    const plain = askDemo(careful)
    const basic = (id: string, secret: string) => ({
      ...form,
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
    })
    const body = 'grant_type=client_credentials'
    expect(
      plain('/oauth/token', at, { method: 'POST', body, headers: basic(client.id, client.secret) }),
    ).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3600 } })
    expect(
      plain('/oauth/token', at, { method: 'POST', body, headers: basic(client.id, 'other') }).status,
    ).toBe(401)
    expect(
      plain('/oauth/token', at, {
        method: 'POST',
        body: 'grant_type=password',
        headers: basic(client.id, client.secret),
      }).status,
    ).toBe(400)
    expect(plain('/oauth/token', at).status).toBe(405)
  })

  it('is good for an hour, and cannot be made', () => {
    expect(ask('/stops', at + hour - 1).status).toBe(200)
    expect(ask('/stops', at + hour + 1).status).toBe(401)
    expect(askDemo(careful)('/stops', at).status).toBe(401)
    const [, signature = ''] = tokenOf(careful).split('.')
    expect(
      askDemo(careful, { authorization: `Bearer ${at + 9 * hour}.${signature}` })('/stops', at).status,
    ).toBe(401)
  })
})

describe('Tern Bikes as it is', () => {
  const late = at + 2 * day
  const slipping = signedIn(careless, late)
  const told = Array.from({ length: 44 }, (_, i) => at - hour / 2 + (i - 40) * hour).flatMap((ms) =>
    listOf('status_changes')(
      slipping(`/status_changes?event_time=${new Date(ms).toISOString().slice(0, 13)}`, late).body,
    ),
  )
  const wanted = model.events('ternbikes', at - 40.5 * hour, at + 3.5 * hour)
  const records = readMds('1.2', 'events', { data: { status_changes: told } }, { ...context, received: late })

  it('forgets some ends of trips, but reports the trips', () => {
    const ends = wanted.filter(({ types }) => types[0] === 'trip_end')
    const missing = ends.filter(({ kind, number }) => slips.isMissing(kind, number))
    expect(missing.length).toBeGreaterThan(0)
    const ids = new Set(
      told.map(
        (each) =>
          (each as { trip_id?: string; event_types: string[] }).event_types.includes('trip_end') &&
          (each as { trip_id?: string }).trip_id,
      ),
    )
    expect(ids.size).toBeLessThanOrEqual(ends.length - missing.length + 1)
    const [lost] = missing
    const trips = listOf('trips')(
      slipping(`/trips?end_time=${new Date(lost!.time).toISOString().slice(0, 13)}`, late).body,
    ) as { device_id: string; end_time: number }[]
    expect(
      trips.some(({ device_id: id, end_time: end }) => id === lost!.vehicle.id && end === lost!.time),
    ).toBe(true)
  })

  it('tells a few twice, a few three minutes ahead, and few that break the schema', () => {
    expect(told.length - new Set(told.map((each) => JSON.stringify(each))).size).toBeGreaterThan(0)
    const times = new Set(wanted.map(({ time, vehicle }) => `${vehicle.id} ${time}`))
    const moved = records.events.filter(({ deviceId, time }) => !times.has(`${deviceId} ${time}`))
    expect(moved.length).toBeGreaterThan(0)
    expect(moved.every(({ deviceId, time }) => times.has(`${deviceId} ${time - 3 * minute}`))).toBe(true)
    expect(
      records.findings.every(({ kind, field }) => kind === 'schema' && field.endsWith('vehicle_state')),
    ).toBe(true)
    expect(records.findings.length).toBeLessThan(wanted.length / 500)
  })

  it('has some hours later than promised', () => {
    const hours = Array.from({ length: 48 }, (_, i) => Date.parse('2026-06-08T00:00:00Z') + i * hour)
    const first = hours.find((ms) => slips.lateMs(ms) > 0)!
    const end = first + hour
    const address = `/status_changes?event_time=${new Date(first).toISOString().slice(0, 13)}`
    const statusAt = (ms: number): number => signedIn(careless, ms)(address, ms).status
    expect(statusAt(end + 30 * minute)).toBe(202)
    expect(statusAt(end + slips.lateMs(first) + 2 * minute)).toBe(200)
    expect(signedIn(careless, end)(address, end - 1).status).toBe(404)
  })

  it('shows a vehicle whose end of trip it lost as still under way', () => {
    const lost = wanted.find(({ kind, number }) => slips.isMissing(kind, number))!
    const vehicles = allPages(
      signedIn(careless, lost.time + 1),
      '/vehicles',
      lost.time + 1,
      listOf('vehicles'),
    ) as { device_id: string; last_vehicle_state: string }[]
    expect(vehicles.find(({ device_id: id }) => id === lost.vehicle.id)?.last_vehicle_state).toBe('on_trip')
  })
})
