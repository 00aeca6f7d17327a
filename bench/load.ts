import { randomUUID } from 'node:crypto'
import { Agent, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeAgencyToken } from '#server/feeds/agency/tokens.ts'
import { regionScope } from '#server/identity/scope.ts'
import { createRegion } from '#server/regions/save-region.ts'
import { getOrigin, signIn } from './client.ts'
import type { Bench } from './open-bench.ts'
import { runPaced, percentile } from './paced.ts'
import { median, type Report } from './table.ts'

const [regionCount, vehicleCount] = [50, 100]
const providerId = '00000000-0000-4000-8000-0000000000ab'
/** Events per push of a backfill, and of a live push. */
const [backfillEvents, liveEvents] = [500, 5]
const dayMs = 86_400_000

/** A region with its pushing operator's token and vehicles. */
interface LoadedRegion {
  regionId: string
  token: string
  devices: string[]
}

/** What a call sends. */
interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Settings of a run. A full run makes 200 calls a second for ten minutes. */
export interface LoadOptions {
  seconds: number
  perSecond: number
  fairSeconds: number
  streams: number
}

async function makeLoadedRegions({ app, organizationId, city }: Bench): Promise<LoadedRegion[]> {
  const regions: LoadedRegion[] = []
  for (let index = 0; index < regionCount; index++) {
    const regionId = `load-${index}`
    const { timezone, lat, lon } = city
    await createRegion(app.state, organizationId, { regionId, text: regionId, lat, lon, timezone })
    const scope = regionScope(organizationId, regionId)
    const store = app.state.as(scope)
    if (index === 0)
      await store
        .insertInto('operator')
        .values({
          organization_id: organizationId,
          slug: 'loader',
          name: 'Loader',
          color_hex: '#336699',
          provider_id: providerId,
        })
        .execute()
    const { feed_id: feedId } = await store
      .insertInto('feed')
      .values({
        region_id: regionId,
        operator: 'loader',
        kind: 'mds_agency',
        version: '2.0',
        name: 'loader',
        url: null,
        interval_seconds: 60,
        promised_minutes: 5,
      })
      .returning('feed_id')
      .executeTakeFirstOrThrow()
    const { token } = await makeAgencyToken(app.state.as(scope), feedId, { actor: null, at: new Date() })
    regions.push({ regionId, token, devices: Array.from({ length: vehicleCount }, () => randomUUID()) })
  }
  return regions
}

/**
 * Measures a server with fifty regions: mixed calls at a fixed rate with open streams of the live map, and the
 * pages of one region during a backfill of another. The client runs in the same process, so its time counts too.
 */
export async function benchLoad(bench: Bench, options: LoadOptions, report: Report): Promise<void> {
  const { seconds, perSecond, fairSeconds, streams } = options
  const { app, city } = bench
  report.log(`load: ${regionCount} regions`)
  const regions = await makeLoadedRegions(bench)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  app.jobs.start()
  const { port } = app.http.server.address() as AddressInfo
  const origin = getOrigin(port)
  const cookies: string[] = []
  for (let index = 0; index < Math.max(1, Math.ceil(streams / 10)); index++)
    cookies.push(await signIn(bench, port, index === 0 ? ['is_admin'] : []))
  const failures = new Map<string, number>()
  const byKind = new Map<string, number[]>()
  // Not `fetch`, which takes several times the CPU time of a small call.
  const agent = new Agent({ keepAlive: true })
  const send = (path: string, { body, ...options }: Sent): Promise<number> =>
    new Promise((resolve) => {
      const headers = { 'accept-encoding': 'gzip, deflate', ...options.headers }
      const timeout = AbortSignal.timeout(60_000)
      const sent = httpRequest(origin + path, { ...options, headers, agent, signal: timeout }, (response) =>
        response
          .on('end', () => resolve(response.statusCode ?? 0))
          .on('error', () => resolve(0))
          .resume(),
      )
      sent.on('error', () => resolve(0)).end(body)
    })
  const call = async (kind: string, path: string, request: Sent = {}): Promise<number> => {
    const begin = performance.now()
    const status = await send(path, request)
    if (status < 200 || status >= 300)
      failures.set(`${kind} ${status}`, (failures.get(`${kind} ${status}`) ?? 0) + 1)
    const ms = performance.now() - begin
    const samples = byKind.get(kind) ?? []
    samples.push(ms)
    byKind.set(kind, samples)
    return ms
  }
  const push = ({ token }: LoadedRegion, stream: string, items: object[]): Promise<number> =>
    call('push', `/mds/agency/${stream}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.mds+json;version=2.0',
        'content-type': 'application/json',
      },
      body: JSON.stringify(items),
    })
  const makeEvents = ({ devices }: LoadedRegion, count: number, from: number): object[] =>
    Array.from({ length: count }, (_, index) => ({
      device_id: devices[index % devices.length],
      provider_id: providerId,
      event_id: randomUUID(),
      vehicle_state: 'available',
      event_types: ['trip_end'],
      trip_ids: [randomUUID()],
      timestamp: Math.floor(from + index * 1000),
      location: { lat: city.lat + (index % 97) / 10_000, lng: city.lon + (index % 89) / 10_000 },
    }))
  for (const region of regions)
    await push(
      region,
      'vehicles',
      region.devices.map((device_id, index) => ({
        device_id,
        provider_id: providerId,
        vehicle_id: `L-${index}`,
        vehicle_type: 'scooter_standing',
        propulsion_types: ['electric'],
      })),
    )
  const getRegion = (index: number): LoadedRegion => regions[index % regions.length] as LoadedRegion
  const withCookie = (index: number) => ({
    headers: { cookie: cookies[index % cookies.length] ?? '' },
  })
  const callMixed = (index: number): Promise<number> => {
    const region = getRegion(index)
    const path = `/v2/regions/${region.regionId}`
    const kind = index % 10
    if (kind < 3) return push(region, 'events', makeEvents(region, liveEvents, Date.now() - 10_000))
    if (kind < 6) return call('live', `${path}/vehicles/live`, withCookie(index))
    if (kind < 8) return call('region', path, withCookie(index))
    if (kind < 9) return call('layers', `${path}/layers`, withCookie(index))
    return call('me', '/v2/users/me', withCookie(index))
  }
  const stop = new AbortController()
  const opened = new Map<string, number>()
  const openStream = async (index: number): Promise<void> => {
    const result = await fetch(`${origin}/v2/regions/${getRegion(index).regionId}/vehicles/stream`, {
      ...withCookie(index),
      signal: stop.signal,
    }).then(
      (response) => {
        void response.arrayBuffer().catch(() => undefined)
        return String(response.status)
      },
      (error: unknown) => String((error as { cause?: unknown }).cause ?? error),
    )
    opened.set(result, (opened.get(result) ?? 0) + 1)
  }
  await Promise.all(Array.from({ length: streams }, (_, index) => openStream(index)))
  report.log(`load: ${streams} streams, by status: ${JSON.stringify(Object.fromEntries(opened))}`)
  byKind.clear()
  const cpuBefore = process.cpuUsage()
  const latencies = await runPaced(seconds, perSecond, callMixed)
  const cpu = process.cpuUsage(cpuBefore)
  const name = `load: ${perSecond} calls/s for ${seconds} s in ${regionCount} regions, ${streams} streams`
  report.add(`${name}, median`, 'ms', [median(latencies)])
  report.add(`${name}, p99 (goal 1,000)`, 'ms', [percentile(latencies, 0.99)])
  report.add(`${name}, CPU time of a call, client included`, 'ms', [
    (cpu.user + cpu.system) / 1000 / latencies.length,
  ])
  for (const [kind, samples] of byKind)
    report.add(`${name}, p99 of ${kind}`, 'ms', [percentile(samples, 0.99)])
  report.add(`${name}, failed calls`, 'calls', [
    [...failures.values()].reduce((sum, count) => sum + count, 0),
  ])
  report.add(`${name}, memory of server and client`, 'MB', [process.memoryUsage().rss / 2 ** 20])
  report.log(`load: failures ${JSON.stringify(Object.fromEntries(failures))}`)
  failures.clear()
  stop.abort()

  // Pages of one region, without and during a backfill of another one.
  const [quietRegion, filledRegion] = [getRegion(1), getRegion(2)]
  const page = (index: number): Promise<number> =>
    call(
      'page',
      `/v2/regions/${quietRegion.regionId}/${index % 2 ? 'layers' : 'vehicles/live'}`,
      withCookie(index),
    )
  const before = await runPaced(fairSeconds, 10, page)
  const filling = new AbortController()
  let events = 0
  const fill = (async () => {
    for (let day = 1; !filling.signal.aborted; day = (day % 60) + 1) {
      await push(filledRegion, 'events', makeEvents(filledRegion, backfillEvents, Date.now() - day * dayMs))
      events += backfillEvents
    }
  })()
  const during = await runPaced(fairSeconds, 10, page)
  filling.abort()
  await fill
  report.add('fairness: page of a region, nothing else', 'ms', before)
  report.add('fairness: page of a region while another is backfilled', 'ms', during)
  report.add('fairness: ratio of the medians (goal 2)', 'times', [median(during) / median(before)])
  report.add('fairness: events backfilled meanwhile', 'events/s', [events / fairSeconds])
  report.log(`fairness: failures ${JSON.stringify(Object.fromEntries(failures))}`)
}
