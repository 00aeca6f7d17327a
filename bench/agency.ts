import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeAgencyToken } from '#server/feeds/agency/tokens.ts'
import { getOrigin, signIn } from './client.ts'
import type { Bench } from './open-bench.ts'
import type { Report } from './table.ts'

const vehicles = 1000
const seconds = 15

interface PushResult {
  status: number
  ms: number
}

/** Sends one push over a persistent connection. Returns its status and how long the response took. */
export function push(
  { agent, port, token }: { agent: http.Agent; port: number; token: string },
  path: string,
  body: unknown,
): Promise<PushResult> {
  const text = JSON.stringify(body)
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const request = http.request(`${getOrigin(port)}/mds/agency/${path}`, {
      agent,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/vnd.mds+json;version=2.0',
        'content-length': Buffer.byteLength(text),
      },
    })
    request.once('error', reject).once('response', (response) => {
      response
        .resume()
        .once('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - start }))
    })
    request.end(text)
  })
}

export const providerId = '00000000-0000-4000-8000-0000000000aa'

const devices = Array.from({ length: vehicles }, () => randomUUID())
const makeEvent = (n: number, lon: number, lat: number) => ({
  device_id: devices[n % vehicles],
  provider_id: providerId,
  event_id: randomUUID(),
  vehicle_state: 'non_operational',
  event_types: ['maintenance'],
  timestamp: Date.now(),
  location: { lat: lat + (n % 97) / 10_000, lng: lon + (n % 89) / 10_000 },
  battery_percent: n % 100,
})

/** Stores an operator that pushes to the Agency API, and opens the port. Returns both token and port. */
export async function openPusher({ app, scope, organizationId, regionId }: Bench): Promise<{
  token: string
  port: number
}> {
  const state = app.state.as(scope)
  await state
    .insertInto('operator')
    .values({
      organization_id: organizationId,
      slug: 'pusher',
      name: 'Pusher',
      color_hex: '#336699',
      provider_id: providerId,
    })
    .execute()
  const { feed_id: feedId } = await state
    .insertInto('feed')
    .values({
      region_id: regionId,
      operator: 'pusher',
      kind: 'mds_agency',
      version: '2.0',
      name: 'Pusher',
      url: null,
      interval_seconds: 60,
      promised_minutes: 5,
    })
    .returning('feed_id')
    .executeTakeFirstOrThrow()
  const { token } = await makeAgencyToken(app.state.as(scope), feedId, { actor: null, at: new Date() })
  if (!app.http.server.listening) await app.http.listen({ port: 0, host: '127.0.0.1' })
  return { token, port: (app.http.server.address() as AddressInfo).port }
}

/** Measures pushes to the Agency API at 32 connections, and the time from a push to the live map. */
export async function benchAgency(bench: Bench, report: Report): Promise<void> {
  const { app, organizationId, regionId, city } = bench
  const { token, port } = await openPusher(bench)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 })
  const registered = await push({ agent, port, token }, 'vehicles', {
    vehicles: devices.map((device_id, n) => ({
      device_id,
      provider_id: providerId,
      vehicle_id: `P-${n}`,
      vehicle_type: 'scooter_standing',
      propulsion_types: ['electric'],
    })),
  })
  if (registered.status !== 201) throw new Error(`The push of vehicles returned status ${registered.status}`)

  for (const count of [1, 50]) {
    const results: PushResult[] = []
    const endMs = performance.now() + seconds * 1000
    let n = 0
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        while (performance.now() < endMs) {
          const events = Array.from({ length: count }, () => makeEvent(n++, city.lon, city.lat))
          results.push(await push({ agent, port, token }, 'events', { events }))
        }
      }),
    )
    const failed = results.filter(({ status }) => status !== 201).length
    if (failed) throw new Error(`${failed} pushes were refused`)
    const what = `pushes of ${count} event${count > 1 ? 's' : ''} to the Agency API, 32 at a time`
    report.add(
      `${what}: response time`,
      'ms',
      results.map(({ ms }) => ms),
    )
    report.add(what, 'events/s', [(results.length * count) / seconds])
  }
  await app.fleetIngest.whenDerived()
  report.add(
    'from a push to its change on the live map',
    'ms',
    await measurePushToStream(
      port,
      () => push({ agent, port, token }, 'events', { events: [makeEvent(1, city.lon, city.lat)] }),
      await signIn({ app, organizationId }, port),
      regionId,
    ),
  )
  agent.destroy()
}

/** Measures how long a push takes to reach the stream of the live map, twenty times one after another, ms. */
async function measurePushToStream(
  port: number,
  pushOne: () => Promise<PushResult>,
  cookie: string,
  regionId: string,
): Promise<number[]> {
  const stop = new AbortController()
  const stream = await fetch(`${getOrigin(port)}/v2/regions/${regionId}/vehicles/stream`, {
    headers: { cookie },
    signal: stop.signal,
  })
  if (!stream.ok || !stream.body) throw new Error(`The stream returned status ${stream.status}`)
  let handleChange = (): void => undefined
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>)
      if (decoder.decode(chunk).includes('event: vehicles')) handleChange()
  })().catch(() => undefined)
  const samples: number[] = []
  for (let n = 0; n < 20; n++) {
    const start = performance.now()
    const eventArrived = new Promise<void>((resolve) => {
      handleChange = resolve
    })
    await pushOne()
    await eventArrived
    samples.push(performance.now() - start)
  }
  stop.abort()
  await reading
  return samples
}
