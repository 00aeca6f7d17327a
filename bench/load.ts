import { randomUUID } from 'node:crypto'
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { appendTo } from '#contract/group-by.ts'
import { dayMs } from '#contract/period.ts'
import { makeAgencyToken } from '#server/feeds/agency/tokens.ts'
import { regionScope } from '#server/identity/scope.ts'
import { createRegion } from '#server/regions/save-region.ts'
import { getOrigin, signIn } from './client.ts'
import type { Bench } from './open-bench.ts'
import { runAtRate } from './run-at-rate.ts'
import { median, percentile, type Report } from './table.ts'

const [regionCount, vehicleCount] = [50, 100]
const providerId = '00000000-0000-4000-8000-0000000000ab'
/** Events per push. */
const [backfillEvents, liveEvents] = [500, 5]

/** A region with its pushing operator's token and vehicles. */
interface LoadedRegion {
  regionId: string
  token: string
  devices: string[]
}

interface LoadRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Settings of a run. A full run makes 200 calls a second for ten minutes. */
export interface LoadOptions {
  seconds: number
  perSecond: number
  /** Duration of each half of the test of fairness. */
  fairSeconds: number
  /** Number of open streams of the live map. */
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

/** Calls the server, and records the latency of each call by kind and the failed ones. */
class LoadClient {
  readonly latencies = new Map<string, number[]>()
  readonly failures = new Map<string, number>()
  readonly #origin: string
  // Not `fetch`, which takes several times the CPU time of a small call.
  readonly #agent = new Agent({ keepAlive: true })

  constructor(origin: string) {
    this.#origin = origin
  }

  async call(kind: string, path: string, request: LoadRequest = {}): Promise<void> {
    const begin = performance.now()
    const status = await this.#send(path, request)
    if (status < 200 || status >= 300)
      this.failures.set(`${kind} ${status}`, (this.failures.get(`${kind} ${status}`) ?? 0) + 1)
    appendTo(this.latencies, kind, performance.now() - begin)
  }

  push({ token }: LoadedRegion, stream: string, items: object[]): Promise<void> {
    return this.call('push', `/mds/agency/${stream}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/vnd.mds+json;version=2.0',
        'content-type': 'application/json',
      },
      body: JSON.stringify(items),
    })
  }

  /** Returns the status of the response; 0 if there is none. */
  #send(path: string, { body, ...options }: LoadRequest): Promise<number> {
    return new Promise((resolve) => {
      const headers = { 'accept-encoding': 'gzip, deflate', ...options.headers }
      const signal = AbortSignal.timeout(60_000)
      const handleResponse = (response: IncomingMessage): void => {
        response
          .on('end', () => resolve(response.statusCode ?? 0))
          .on('error', () => resolve(0))
          .resume()
      }
      httpRequest(this.#origin + path, { ...options, headers, agent: this.#agent, signal }, handleResponse)
        .on('error', () => resolve(0))
        .end(body)
    })
  }
}

/** What the steps of a run share. */
interface LoadRun {
  bench: Bench
  options: LoadOptions
  client: LoadClient
  origin: string
  regions: readonly LoadedRegion[]
  cookies: readonly string[]
}

const getRegion = ({ regions }: LoadRun, index: number): LoadedRegion =>
  regions[index % regions.length] as LoadedRegion

const withCookie = ({ cookies }: LoadRun, index: number) => ({
  headers: { cookie: cookies[index % cookies.length] ?? '' },
})

/** Pushes events of a region's vehicles that occur every second from a time on. */
function pushEvents(
  { client, bench: { city } }: LoadRun,
  region: LoadedRegion,
  count: number,
  firstMs: number,
) {
  const events = Array.from({ length: count }, (_, index) => ({
    device_id: region.devices[index % region.devices.length],
    provider_id: providerId,
    event_id: randomUUID(),
    vehicle_state: 'available',
    event_types: ['trip_end'],
    trip_ids: [randomUUID()],
    timestamp: Math.floor(firstMs + index * 1000),
    location: { lat: city.lat + (index % 97) / 10_000, lng: city.lon + (index % 89) / 10_000 },
  }))
  return client.push(region, 'events', events)
}

async function registerVehicles({ client, regions }: LoadRun): Promise<void> {
  for (const region of regions)
    await client.push(
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
}

/** Makes one call of the mix: of ten calls, three are pushes and seven are requests of pages. */
function callMixed(run: LoadRun, index: number): Promise<void> {
  const region = getRegion(run, index)
  const path = `/v2/regions/${region.regionId}`
  const cookie = withCookie(run, index)
  const kind = index % 10
  if (kind < 3) return pushEvents(run, region, liveEvents, Date.now() - 10_000)
  if (kind < 6) return run.client.call('live', `${path}/vehicles/live`, cookie)
  if (kind < 8) return run.client.call('region', path, cookie)
  if (kind < 9) return run.client.call('layers', `${path}/layers`, cookie)
  return run.client.call('me', '/v2/users/me', cookie)
}

/** Opens streams of the live map. Returns their numbers by status or error. */
async function openStreams(run: LoadRun, signal: AbortSignal): Promise<Map<string, number>> {
  const opened = new Map<string, number>()
  const openStream = async (index: number): Promise<void> => {
    const url = `${run.origin}/v2/regions/${getRegion(run, index).regionId}/vehicles/stream`
    const result = await fetch(url, { ...withCookie(run, index), signal }).then(
      (response) => {
        void response.arrayBuffer().catch(() => undefined)
        return String(response.status)
      },
      (error: unknown) => String((error as { cause?: unknown }).cause ?? error),
    )
    opened.set(result, (opened.get(result) ?? 0) + 1)
  }
  await Promise.all(Array.from({ length: run.options.streams }, (_, index) => openStream(index)))
  return opened
}

/** Measures mixed calls at a fixed rate with open streams. */
async function measureLoad(run: LoadRun, report: Report): Promise<void> {
  const { client, options } = run
  const { seconds, perSecond, streams } = options
  const stop = new AbortController()
  const opened = await openStreams(run, stop.signal)
  report.log(`load: ${streams} streams, by status: ${JSON.stringify(Object.fromEntries(opened))}`)
  client.latencies.clear()
  const cpuBefore = process.cpuUsage()
  const latencies = await runAtRate(seconds, perSecond, (index) => callMixed(run, index))
  const cpu = process.cpuUsage(cpuBefore)
  const name = `load: ${perSecond} calls/s for ${seconds} s in ${regionCount} regions, ${streams} streams`
  report.add(`${name}, median`, 'ms', [median(latencies)])
  report.add(`${name}, p99 (goal 1,000)`, 'ms', [percentile(latencies, 0.99)])
  report.add(`${name}, CPU time of a call, client included`, 'ms', [
    (cpu.user + cpu.system) / 1000 / latencies.length,
  ])
  for (const [kind, samples] of client.latencies)
    report.add(`${name}, p99 of ${kind}`, 'ms', [percentile(samples, 0.99)])
  report.add(`${name}, failed calls`, 'calls', [
    [...client.failures.values()].reduce((sum, count) => sum + count, 0),
  ])
  report.add(`${name}, memory of server and client`, 'MB', [process.memoryUsage().rss / 2 ** 20])
  report.log(`load: failures ${JSON.stringify(Object.fromEntries(client.failures))}`)
  client.failures.clear()
  stop.abort()
}

/** Measures pages of one region, without and during a backfill of another one. */
async function measureFairness(run: LoadRun, report: Report): Promise<void> {
  const { client, options } = run
  const { fairSeconds } = options
  const [quietRegion, filledRegion] = [getRegion(run, 1), getRegion(run, 2)]
  const callPage = (index: number): Promise<void> => {
    const page = index % 2 ? 'layers' : 'vehicles/live'
    return client.call('page', `/v2/regions/${quietRegion.regionId}/${page}`, withCookie(run, index))
  }
  const before = await runAtRate(fairSeconds, 10, callPage)
  const stop = new AbortController()
  let events = 0
  const backfill = (async () => {
    for (let day = 1; !stop.signal.aborted; day = (day % 60) + 1) {
      await pushEvents(run, filledRegion, backfillEvents, Date.now() - day * dayMs)
      events += backfillEvents
    }
  })()
  const during = await runAtRate(fairSeconds, 10, callPage)
  stop.abort()
  await backfill
  report.add('fairness: page of a region, nothing else', 'ms', before)
  report.add('fairness: page of a region while another is backfilled', 'ms', during)
  report.add('fairness: ratio of the medians (goal 2)', 'times', [median(during) / median(before)])
  report.add('fairness: events backfilled meanwhile', 'events/s', [events / fairSeconds])
  report.log(`fairness: failures ${JSON.stringify(Object.fromEntries(client.failures))}`)
}

/**
 * Measures a server with fifty regions: mixed calls at a fixed rate with open streams of the live map, and the
 * pages of one region during a backfill of another. The client runs in the same process, so its time counts too.
 */
export async function benchLoad(bench: Bench, options: LoadOptions, report: Report): Promise<void> {
  const { app } = bench
  report.log(`load: ${regionCount} regions`)
  const regions = await makeLoadedRegions(bench)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  app.jobs.start()
  const { port } = app.http.server.address() as AddressInfo
  const origin = getOrigin(port)
  const cookies: string[] = []
  for (let index = 0; index < Math.max(1, Math.ceil(options.streams / 10)); index++)
    cookies.push(await signIn(bench, port, index === 0 ? ['is_admin'] : []))
  const run: LoadRun = { bench, options, client: new LoadClient(origin), origin, regions, cookies }
  await registerVehicles(run)
  await measureLoad(run, report)
  await measureFairness(run, report)
}
