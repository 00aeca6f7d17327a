import { randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeAgencyToken } from '#server/feeds/agency/tokens.ts'
import { originOf, percentile, signIn } from './client.ts'
import type { Bench } from './open-bench.ts'

const vehicles = 1000
const seconds = 15

interface Answer {
  status: number
  ms: number
}

/** One push over a connection that is kept. */
function push(agent: http.Agent, port: number, token: string, path: string, body: unknown): Promise<Answer> {
  const text = JSON.stringify(body)
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const request = http.request(`${originOf(port)}/mds/agency/${path}`, {
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

const rounded = (values: readonly number[], share: number): number => Math.round(percentile(values, share))

const devices = Array.from({ length: vehicles }, () => randomUUID())
const eventOf = (n: number, lon: number, lat: number) => ({
  device_id: devices[n % vehicles],
  provider_id: provider,
  event_id: randomUUID(),
  vehicle_state: 'non_operational',
  event_types: ['maintenance'],
  timestamp: Date.now(),
  location: { lat: lat + (n % 97) / 10_000, lng: lon + (n % 89) / 10_000 },
  battery_percent: n % 100,
})
const provider = '00000000-0000-4000-8000-0000000000aa'

/**
 * The Agency API over a real socket, client on the same machine: requests per second and p95 of single events
 * and of batches of 50, at 32 connections; and from the moment before a push is sent to its change on an open
 * stream of the live map.
 */
export async function benchAgency(
  { app, scope, organizationId, regionId, city }: Bench,
  say: (line: string) => void,
) {
  const state = app.state.as(scope)
  await state
    .insertInto('operator')
    .values({
      organization_id: organizationId,
      slug: 'pusher',
      name: 'Pusher',
      color_hex: '#336699',
      provider_id: provider,
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
  const { token } = await makeAgencyToken(app.state, scope, feedId, null, new Date())
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 })
  const registered = await push(agent, port, token, 'vehicles', {
    vehicles: devices.map((device_id, n) => ({
      device_id,
      provider_id: provider,
      vehicle_id: `P-${n}`,
      vehicle_type: 'scooter_standing',
      propulsion_types: ['electric'],
    })),
  })
  if (registered.status !== 201) throw new Error(`Vehicles were answered with ${registered.status}`)

  const load = async (each: number) => {
    const answers: Answer[] = []
    const until = performance.now() + seconds * 1000
    let n = 0
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        while (performance.now() < until)
          answers.push(
            await push(agent, port, token, 'events', {
              events: Array.from({ length: each }, () => eventOf(n++, city.lon, city.lat)),
            }),
          )
      }),
    )
    const bad = answers.filter(({ status }) => status !== 201).length
    const figure = {
      events_each: each,
      requests_per_second: Math.round(answers.length / seconds),
      events_per_second: Math.round((answers.length * each) / seconds),
      p50_ms: rounded(
        answers.map(({ ms }) => ms),
        0.5,
      ),
      p95_ms: rounded(
        answers.map(({ ms }) => ms),
        0.95,
      ),
      failed: bad,
    }
    say(`agency: ${JSON.stringify(figure)}`)
    return figure
  }
  const figures = [await load(1), await load(50)]
  await app.fleetIngest.whenDerived()
  const toStream = await receiptToStream(
    port,
    () => push(agent, port, token, 'events', { events: [eventOf(1, city.lon, city.lat)] }),
    await signIn({ app, organizationId }, port),
    regionId,
  )
  agent.destroy()
  return { connections: 32, figures, push_to_stream_ms: toStream }
}

/** Milliseconds from before a push to its change on the stream; twenty times, one after another. */
async function receiptToStream(
  port: number,
  pushOne: () => Promise<Answer>,
  cookie: string,
  regionId: string,
) {
  const stop = new AbortController()
  const stream = await fetch(`${originOf(port)}/v2/regions/${regionId}/vehicles/stream`, {
    headers: { cookie },
    signal: stop.signal,
  })
  if (!stream.ok || !stream.body) throw new Error(`The stream was answered with ${stream.status}`)
  let told = (): void => undefined
  const reading = (async () => {
    const decoder = new TextDecoder()
    for await (const part of stream.body as unknown as AsyncIterable<Uint8Array>)
      if (decoder.decode(part).includes('event: vehicles')) told()
  })().catch(() => undefined)
  const all: number[] = []
  for (let n = 0; n < 20; n++) {
    const start = performance.now()
    const seen = new Promise<void>((resolve) => {
      told = resolve
    })
    await pushOne()
    await seen
    all.push(performance.now() - start)
  }
  stop.abort()
  await reading
  return { p50: rounded(all, 0.5), p95: rounded(all, 0.95) }
}
