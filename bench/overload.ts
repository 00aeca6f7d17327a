import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { originOf, percentile } from './client.ts'

/** How the load is made. All of it goes to 127.0.0.1, and ends after `seconds`. */
export interface Overload {
  port: number
  seconds: number
  /** Light calls a second, at fixed times, whether earlier ones are answered or not. */
  rate: number
  /** Heavy calls that are always under way. */
  heavy: number
  /** Of the server: shows its memory. */
  pid: number | null
}

const timeoutMs = 60_000
/** People of the demo city. */
const people = ['admin', 'planner', 'viewer']

interface Call {
  name: string
  method: 'GET' | 'POST'
  path: string
  body?: unknown
}

/** Answers by call: ms, and how often which status came; 0 is a time-out or a broken connection. */
class Figures {
  readonly #ms = new Map<string, number[]>()
  readonly #statuses = new Map<string, Map<number, number>>()
  note(name: string, status: number, ms: number): void {
    this.#ms.set(name, [...(this.#ms.get(name) ?? [])].concat(ms))
    const statuses = this.#statuses.get(name) ?? new Map<number, number>()
    this.#statuses.set(name, statuses.set(status, (statuses.get(status) ?? 0) + 1))
  }
  get result() {
    const of = (ms: readonly number[]) => ({
      calls: ms.length,
      p50_ms: Math.round(percentile(ms, 0.5)),
      p95_ms: Math.round(percentile(ms, 0.95)),
      p99_ms: Math.round(percentile(ms, 0.99)),
      max_ms: Math.round(Math.max(...ms)),
    })
    return Object.fromEntries(
      [...this.#ms].map(([name, ms]) => [
        name,
        { ...of(ms), statuses: Object.fromEntries(this.#statuses.get(name) ?? []) },
      ]),
    )
  }
}

async function ask(origin: string, cookie: string, { method, path, body }: Call): Promise<Response> {
  const answer = await fetch(origin + path, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: { cookie, origin, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return answer
}

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

const memoryMb = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

interface City {
  regionId: string
  layers: { shape_layer_uuid: string; shape_count: number }[]
  lat: number
  lon: number
}

async function readCity(origin: string, cookie: string): Promise<City> {
  const read = async <T>(path: string): Promise<T> =>
    (await (await ask(origin, cookie, { name: '', method: 'GET', path })).json()) as T
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

/** What everybody asks all the time: the live map, tiles, policies, tables, health. */
function lightCalls({ regionId, layers, lat, lon }: City): Call[] {
  const region = `/v2/regions/${regionId}`
  const tile = (z: number, off: number): string => {
    const x = Math.floor(((lon + 180) / 360) * 2 ** z) + off
    const y = Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z)
    return `${region}/layers/${layers[0]?.shape_layer_uuid}/vector/${z}/${x}/${y}`
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
    { name: 'imports', method: 'GET', path: `${region}/imports` },
    { name: 'issues', method: 'GET', path: `${region}/issues` },
  ]
}

/** Heavy questions, of which no two are the same: some hours of some days over the layer of most shapes, and compliance. */
function heavyCall({ regionId, layers }: City, at: number): Call {
  const day = (n: number): string => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)
  const first = at % 110
  const [mode, aggregation] = at % 3 === 0 ? ['parking', 'total_parking_events'] : ['trips', 'origins']
  const ask = {
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
      body: { ...ask, bucket: 'hour_of_day' },
    }
  return { name: 'heavy', method: 'POST', path: `/v2/regions/${regionId}/spatial`, body: ask }
}

/** Light calls at a fixed rate beside heavy ones that saturate a running demo server: what each class waits for. */
export async function benchOverload(
  { port, seconds, rate, heavy, pid }: Overload,
  say: (line: string) => void,
) {
  const origin = originOf(port)
  const cookies = await Promise.all(people.map((name) => signInDemo(origin, name)))
  const cookieOf = (at: number): string => cookies[at % cookies.length] ?? ''
  const city = await readCity(origin, cookieOf(0))
  const light = lightCalls(city)
  const figures = new Figures()
  const timed = async (call: Call, cookie: string): Promise<Response | null> => {
    const start = performance.now()
    try {
      const answer = await ask(origin, cookie, call)
      await answer.arrayBuffer()
      figures.note(call.name, answer.status, performance.now() - start)
      return answer
    } catch {
      figures.note(call.name, 0, performance.now() - start)
      return null
    }
  }
  // Where this process is held up itself, the figures say nothing of the server.
  const ownDelay = monitorEventLoopDelay({ resolution: 10 })
  ownDelay.enable()
  const start = performance.now()
  const isOver = (): boolean => performance.now() - start > seconds * 1000
  let asked = 0
  const askHeavy = async (): Promise<void> => {
    while (!isOver()) {
      const answer = await timed(heavyCall(city, asked), cookieOf(asked++))
      // Whoever is refused comes back a little earlier than they are asked to.
      if (answer?.status === 429 || answer?.status === 503) await wait(2000)
    }
  }
  const memory: number[] = []
  const underWay: Promise<unknown>[] = Array.from({ length: heavy }, askHeavy)
  for (let at = 0; !isOver(); at++) {
    const call = light[at % light.length]
    if (call) underWay.push(timed(call, cookieOf(Math.floor(at / light.length))))
    if (pid !== null && at % (rate * 5) === 0) {
      memory.push(memoryMb(pid))
      say(`${Math.round((performance.now() - start) / 1000)} s, ${memory.at(-1)} MB`)
    }
    await wait(Math.max(0, start + ((at + 1) * 1000) / rate - performance.now()))
  }
  await Promise.all(underWay)
  return {
    seconds,
    light_a_second: rate,
    heavy_at_once: heavy,
    own_delay_max_ms: Math.round(ownDelay.max / 1e6),
    calls: figures.result,
    ...(memory.length
      ? { memory_mb: { start: memory[0], end: memory.at(-1), max: Math.max(...memory) } }
      : {}),
  }
}
