import { setTimeout as wait } from 'node:timers/promises'
import { dayMs, minuteMs } from '#contract/period.ts'
import { getOrigin } from './client.ts'
import { type DemoServer, readProcessorSeconds, residentMb, startDemoServer } from './demo-server.ts'
import { type Report, measureRuns } from './table.ts'
import { findTile } from './tiles.ts'

/** A load: light calls at fixed times, and a constant number of open heavy calls. */
export interface Load {
  seconds: number
  lightPerSecond: number
  heavyAtOnce: number
}

/** The background work of a first start ends within this time. */
const settleMs = 600_000
const idleMs = 480_000
/** Statuses of calls that are not admitted. Clients repeat such calls. */
const busyStatuses = [429, 503]
const userNames = ['admin', 'planner', 'viewer']

interface Call {
  name: string
  method: 'GET' | 'POST'
  path: string
  body?: unknown
}

const request = (origin: string, cookie: string, { method, path, body }: Call): Promise<Response> =>
  fetch(origin + path, {
    method,
    signal: AbortSignal.timeout(minuteMs),
    headers: { cookie, origin, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

async function signInDemo(origin: string, name: string): Promise<string> {
  const response = await fetch(`${origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email: `${name}@portmeridian.example`, password: `meridian-${name}` }),
  })
  if (!response.ok) throw new Error(`${name} cannot sign in: ${response.status}`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

interface City {
  regionId: string
  layers: { shape_layer_uuid: string; shape_count: number }[]
  lat: number
  lon: number
}

async function readCity(origin: string, cookie: string): Promise<City> {
  const read = async <T>(path: string): Promise<T> =>
    (await (await request(origin, cookie, { name: '', method: 'GET', path })).json()) as T
  const {
    items: [region],
  } = await read<{ items: { regionId: string; lat: number; lon: number }[] }>('/v2/regions')
  if (!region) throw new Error('There is no region')
  const { items } = await read<{ items: City['layers'] }>(`/v2/regions/${region.regionId}/layers`)
  return {
    regionId: region.regionId,
    lat: region.lat,
    lon: region.lon,
    layers: [...items].sort((a, b) => b.shape_count - a.shape_count),
  }
}

/** Returns short calls of every screen: the live map, tiles, policies, tables, health. */
function makeLightCalls({ regionId, layers, lat, lon }: City): Call[] {
  const region = `/v2/regions/${regionId}`
  const tile = (zoom: number, off: number): string => {
    const { x, y } = findTile(lon, lat, zoom)
    return `${region}/layers/${layers[0]?.shape_layer_uuid}/vector/${zoom}/${x + off}/${y}`
  }
  return [
    { name: 'health', method: 'GET', path: '/health' },
    { name: 'me', method: 'GET', path: '/v2/users/me' },
    { name: 'live', method: 'GET', path: `${region}/vehicles/live` },
    ...[10, 12, 13, 14].map((z, index): Call => ({ name: 'tile', method: 'GET', path: tile(z, index % 2) })),
    { name: 'policies', method: 'POST', path: '/v2/policies/list', body: { region_id: regionId } },
    { name: 'layers', method: 'GET', path: `${region}/layers` },
    {
      name: 'shapes',
      method: 'GET',
      path: `${region}/shapes?shape_layer_uuid=${layers.at(-1)?.shape_layer_uuid}`,
    },
    { name: 'issues', method: 'GET', path: `${region}/issues` },
  ]
}

/** Makes a heavy call over the two largest layers. Each index gives other hours and days. */
function makeHeavyCall({ regionId, layers }: City, index: number): Call {
  const day = (n: number): string => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)
  const first = index % 110
  const [mode, aggregation] = index % 3 === 0 ? ['parking', 'total_parking_events'] : ['trips', 'origins']
  const query = {
    mode,
    aggregation,
    shape_layer_uuid: layers[index % 2]?.shape_layer_uuid,
    start_date: day(first),
    end_date: day(first + 90),
    hour_filters: [index % 12, 12 + (index % 12)],
  }
  if (index % 4 === 0)
    return {
      name: 'heavy by time',
      method: 'POST',
      path: `/v2/regions/${regionId}/spatial/by_time`,
      body: { ...query, bucket: 'hour_of_day' },
    }
  return { name: 'heavy', method: 'POST', path: `/v2/regions/${regionId}/spatial`, body: query }
}

/** Measures a demo server: time and memory of its first start, then latency under heavy calls. */
export async function benchDemoServer(report: Report): Promise<void> {
  report.log('demo: first start')
  const server = await startDemoServer()
  report.add('first start of the demo, packages installed and server built', 's', [server.startMs / 1000])
  try {
    report.add('memory at the first page', 'MB', [residentMb(server.pid)])
    await wait(settleMs)
    report.add('memory after ten minutes', 'MB', [residentMb(server.pid)])
    const secondsBefore = readProcessorSeconds(server.pid)
    await wait(idleMs)
    report.add('idle load in the eight minutes after that', 'cores', [
      (readProcessorSeconds(server.pid) - secondsBefore) / (idleMs / 1000),
    ])
    await benchHome(server, report)
    await benchLoad(server, { seconds: 60, lightPerSecond: 50, heavyAtOnce: 20 }, report)
    await benchLoad(server, { seconds: 60, lightPerSecond: 10, heavyAtOnce: 50 }, report)
    await wait(60_000)
    report.add('memory a minute after the load', 'MB', [residentMb(server.pid)])
  } finally {
    await server.stop()
  }
}

/** Measures the two calls that the tiles of Home wait for, without cached results. */
async function benchHome({ port }: DemoServer, report: Report): Promise<void> {
  const origin = getOrigin(port)
  const cookie = await signInDemo(origin, 'viewer')
  const { regionId } = await readCity(origin, cookie)
  const getDay = (daysAgo: number): string =>
    new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)
  const region = `/v2/regions/${regionId}`
  const timedCall = async (call: Omit<Call, 'name'>): Promise<void> => {
    const response = await request(origin, cookie, { name: 'home', ...call })
    if (!response.ok) throw new Error(`${call.path}: ${response.status}`)
    await response.arrayBuffer()
  }
  const measures = [
    'trips',
    'fleet_avg',
    'trips_per_vehicle',
    'utilization',
    'distance_median',
    'parking_over_limit',
  ]
  const period = {
    start_date: getDay(8),
    end_date: getDay(2),
    compare_start_date: getDay(15),
    compare_end_date: getDay(9),
  }
  report.add(
    'measures of Home, seven days and the seven before',
    'ms',
    await measureRuns(7, (run) =>
      timedCall({
        method: 'POST',
        path: `${region}/metrics/query`,
        body: { measures, dimensions: ['day'], ...period, parking_limit: 1440 + run },
      }),
    ),
  )
  report.add(
    'compliance of Home, seven days of all policies',
    'ms',
    await measureRuns(7, () =>
      timedCall({
        method: 'GET',
        path: `${region}/policies/compliance/summary?startDate=${getDay(8)}&endDate=${getDay(2)}`,
      }),
    ),
  )
}

/** Puts load on a demo server and reports its memory and the latencies by class, without refused calls. */
async function benchLoad({ port, pid }: DemoServer, load: Load, report: Report): Promise<void> {
  const { seconds, lightPerSecond, heavyAtOnce } = load
  const origin = getOrigin(port)
  const cookies = await Promise.all(userNames.map((name) => signInDemo(origin, name)))
  const getCookie = (index: number): string => cookies[index % cookies.length] ?? ''
  const city = await readCity(origin, getCookie(0))
  const light = makeLightCalls(city)
  const latencies: Record<'live' | 'light' | 'heavy', number[]> = { live: [], light: [], heavy: [] }
  /** Number of failures by call and status (0: no response). */
  const failures = new Map<string, number>()
  const run = async (call: Call, kind: keyof typeof latencies, cookie: string): Promise<number> => {
    const start = performance.now()
    const status = await request(origin, cookie, call).then(
      async (response) => (await response.arrayBuffer(), response.status),
      () => 0,
    )
    if (status === 200 || status === 204) latencies[kind].push(performance.now() - start)
    else if (!busyStatuses.includes(status)) {
      const failure = `${call.name} ${status}`
      failures.set(failure, (failures.get(failure) ?? 0) + 1)
    }
    return status
  }
  const memory: number[] = []
  const start = performance.now()
  const isOver = (): boolean => performance.now() - start > seconds * 1000
  let heavyCalls = 0
  const running: Promise<unknown>[] = Array.from({ length: heavyAtOnce }, async () => {
    while (!isOver()) {
      const status = await run(makeHeavyCall(city, heavyCalls), 'heavy', getCookie(heavyCalls++))
      if (busyStatuses.includes(status)) await wait(2000)
    }
  })
  for (let index = 0; !isOver(); index++) {
    const call = light[index % light.length]
    if (call)
      running.push(
        run(call, call.name === 'live' ? 'live' : 'light', getCookie(Math.floor(index / light.length))),
      )
    memory.push(residentMb(pid))
    await wait(Math.max(0, start + ((index + 1) * 1000) / lightPerSecond - performance.now()))
  }
  await Promise.all(running)
  const context = `with ${heavyAtOnce} open heavy calls`
  report.add(`live map, ${lightPerSecond} light calls per second ${context}`, 'ms', latencies.live)
  report.add(`other light calls, ${context}`, 'ms', latencies.light)
  report.add(`heavy calls, ${context}`, 'ms', latencies.heavy)
  report.add(`largest memory, ${context}`, 'MB', [Math.max(...memory)])
  if (failures.size) throw new Error(`Calls failed: ${JSON.stringify(Object.fromEntries(failures))}`)
}
