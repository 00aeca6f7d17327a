import { setTimeout as wait } from 'node:timers/promises'
import { originOf } from './client.ts'
import { type DemoServer, processorSeconds, residentMb, startDemoServer } from './demo-server.ts'
import { type Report, timedRuns } from './table.ts'
import { tileAt } from './tiles.ts'

/** The load: light calls per second at fixed times, and heavy calls that are always open. */
export interface Load {
  seconds: number
  lightPerSecond: number
  heavyAtOnce: number
}

const timeoutMs = 60_000
/** Background work of a first start has ended after this time. */
const settleMs = 600_000
const idleMs = 480_000
/** Answers to calls that are not admitted; clients repeat them. */
const busyStatuses = [429, 503]
const users = ['admin', 'planner', 'viewer']

interface Call {
  name: string
  method: 'GET' | 'POST'
  path: string
  body?: unknown
}

const request = (origin: string, cookie: string, { method, path, body }: Call): Promise<Response> =>
  fetch(origin + path, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: { cookie, origin, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

async function signInDemo(origin: string, name: string): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email: `${name}@portmeridian.example`, password: `meridian-${name}` }),
  })
  if (!answer.ok) throw new Error(`${name} cannot sign in: ${answer.status}`)
  return answer.headers
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

/** Calls of every screen: the live map, tiles, policies, tables, health. */
function lightCalls({ regionId, layers, lat, lon }: City): Call[] {
  const region = `/v2/regions/${regionId}`
  const tile = (z: number, off: number): string => {
    const { x, y } = tileAt(lon, lat, z)
    return `${region}/layers/${layers[0]?.shape_layer_uuid}/vector/${z}/${x + off}/${y}`
  }
  return [
    { name: 'health', method: 'GET', path: '/health' },
    { name: 'me', method: 'GET', path: '/v2/users/me' },
    { name: 'live', method: 'GET', path: `${region}/vehicles/live` },
    ...[10, 12, 13, 14].map((z, at): Call => ({ name: 'tile', method: 'GET', path: tile(z, at % 2) })),
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

/** Heavy questions, all different: some hours of some days over the layers with the largest number of shapes. */
function heavyCall({ regionId, layers }: City, at: number): Call {
  const day = (n: number): string => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)
  const first = at % 110
  const [mode, aggregation] = at % 3 === 0 ? ['parking', 'total_parking_events'] : ['trips', 'origins']
  const question = {
    mode,
    aggregation,
    shape_layer_uuid: layers[at % 2]?.shape_layer_uuid,
    start_date: day(first),
    end_date: day(first + 90),
    hour_filters: [at % 12, 12 + (at % 12)],
  }
  if (at % 4 === 0)
    return {
      name: 'heavy by time',
      method: 'POST',
      path: `/v2/regions/${regionId}/spatial/by_time`,
      body: { ...question, bucket: 'hour_of_day' },
    }
  return { name: 'heavy', method: 'POST', path: `/v2/regions/${regionId}/spatial`, body: question }
}

/**
 * A demo server from its first start: time and memory, then light calls beside heavy ones that saturate it, and
 * what each class waits for.
 */
export async function benchDemoServer(report: Report): Promise<void> {
  report.say('demo: first start')
  const server = await startDemoServer()
  report.add('first start of the demo, packages installed and server built', 's', [server.startMs / 1000])
  try {
    report.add('memory at the first page', 'MB', [residentMb(server.pid)])
    await wait(settleMs)
    report.add('memory after ten minutes', 'MB', [residentMb(server.pid)])
    const worked = processorSeconds(server.pid)
    await wait(idleMs)
    report.add('idle load in the eight minutes after that', 'cores', [
      (processorSeconds(server.pid) - worked) / (idleMs / 1000),
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

/** The two calls for which the tiles of Home wait, without cached answers. */
async function benchHome({ port }: DemoServer, report: Report): Promise<void> {
  const origin = originOf(port)
  const cookie = await signInDemo(origin, 'viewer')
  const { regionId } = await readCity(origin, cookie)
  const day = (before: number): string =>
    new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)
  const region = `/v2/regions/${regionId}`
  const timedCall = async (call: Omit<Call, 'name'>): Promise<void> => {
    const answer = await request(origin, cookie, { name: 'home', ...call })
    if (!answer.ok) throw new Error(`${call.path}: ${answer.status}`)
    await answer.arrayBuffer()
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
    start_date: day(8),
    end_date: day(2),
    compare_start_date: day(15),
    compare_end_date: day(9),
  }
  report.add(
    'measures of Home, seven days and the seven before',
    'ms',
    await timedRuns(7, (run) =>
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
    await timedRuns(7, () =>
      timedCall({
        method: 'GET',
        path: `${region}/policies/compliance/summary?startDate=${day(8)}&endDate=${day(2)}`,
      }),
    ),
  )
}

/** Loads a demo server and reports latencies by class, refused calls excluded, and its memory. */
async function benchLoad({ port, pid }: DemoServer, load: Load, report: Report): Promise<void> {
  const { seconds, lightPerSecond, heavyAtOnce } = load
  const origin = originOf(port)
  const cookies = await Promise.all(users.map((name) => signInDemo(origin, name)))
  const cookieOf = (at: number): string => cookies[at % cookies.length] ?? ''
  const city = await readCity(origin, cookieOf(0))
  const light = lightCalls(city)
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
  let questions = 0
  const running: Promise<unknown>[] = Array.from({ length: heavyAtOnce }, async () => {
    while (!isOver()) {
      const status = await run(heavyCall(city, questions), 'heavy', cookieOf(questions++))
      if (busyStatuses.includes(status)) await wait(2000)
    }
  })
  for (let at = 0; !isOver(); at++) {
    const call = light[at % light.length]
    if (call)
      running.push(
        run(call, call.name === 'live' ? 'live' : 'light', cookieOf(Math.floor(at / light.length))),
      )
    memory.push(residentMb(pid))
    await wait(Math.max(0, start + ((at + 1) * 1000) / lightPerSecond - performance.now()))
  }
  await Promise.all(running)
  const beside = `beside ${heavyAtOnce} heavy calls`
  report.add(`live map, ${lightPerSecond} light calls per second ${beside}`, 'ms', latencies.live)
  report.add(`other light calls, ${beside}`, 'ms', latencies.light)
  report.add(`heavy calls, ${beside}`, 'ms', latencies.heavy)
  report.add(`largest memory, ${beside}`, 'MB', [Math.max(...memory)])
  if (failures.size) throw new Error(`Calls failed: ${JSON.stringify(Object.fromEntries(failures))}`)
}
