import { Readable } from 'node:stream'
import type { LiveCurbZone } from '#contract/curb-sessions.ts'
import type { CurbSessions } from './curb-sessions.ts'
import { type LiveSources, readLiveZones, type RegionKey } from './live-zones.ts'

/** Changes within this time are sent together. */
const gatherMs = 1000
/** Permissions are checked again, and silent sources looked for, at this interval. */
const heartbeatMs = 15_000

/**
 * Returns a stream of server-sent events with the changed zones of a region. The browser loads the initial
 * state by itself, so the first state is only remembered. The stream ends when `canView` no longer allows it.
 */
export function streamCurbActivity({
  sources,
  region,
  sessions,
  now,
  canView,
  signal,
}: StreamOptions): Readable {
  const stream = new Readable({ read() {} })
  const send = (name: string, data: unknown): void => {
    if (!stream.destroyed) stream.push(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  const findChanges = trackChanges(() => readLiveZones(sources, region, now()))
  let timer: NodeJS.Timeout | null = null
  const sendChanges = async (): Promise<void> => {
    timer = null
    const changed = await findChanges()
    if (changed.length) send('zones', changed)
  }
  const sendOrClose = (): void => void sendChanges().catch(() => stream.destroy())
  const schedule = (): void => {
    timer ??= setTimeout(sendOrClose, gatherMs)
  }
  const checkPermission = async (): Promise<void> => {
    const isAllowed = await canView().catch(() => false)
    if (!isAllowed) return void stream.push(null)
    if (!stream.destroyed) stream.push(': \n\n')
    schedule()
  }
  const heartbeat = setInterval(() => void checkPermission(), heartbeatMs)
  const stopWatching = sessions.watch((regionId) => {
    if (regionId === region.regionId) schedule()
  })
  const handleAbort = (): void => void stream.destroy()
  signal.addEventListener('abort', handleAbort, { once: true })
  stream.once('close', () => {
    clearInterval(heartbeat)
    if (timer) clearTimeout(timer)
    stopWatching()
    signal.removeEventListener('abort', handleAbort)
  })
  if (signal.aborted) handleAbort()
  stream.push('retry: 2000\n')
  send('hello', {})
  sendOrClose()
  return stream
}

interface StreamOptions {
  sources: LiveSources
  region: RegionKey
  sessions: Pick<CurbSessions, 'watch'>
  now: () => Date
  canView: () => Promise<boolean>
  signal: AbortSignal
}

/** Returns a function that reads the zones that changed since its last call; none on the first call. */
function trackChanges(read: () => Promise<ReadonlyMap<string, LiveCurbZone>>): () => Promise<LiveCurbZone[]> {
  let previous: ReadonlyMap<string, string> | null = null
  return async () => {
    const zones = await read()
    const texts = new Map([...zones].map(([id, zone]) => [id, JSON.stringify(zone)]))
    const previousTexts = previous
    previous = texts
    if (!previousTexts) return []
    return [...zones].flatMap(([id, zone]) => (texts.get(id) === previousTexts.get(id) ? [] : [zone]))
  }
}
