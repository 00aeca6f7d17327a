import { Readable } from 'node:stream'
import { canReadOperator } from '#server/stores/scope.ts'
import { toLiveColumns } from './live-columns.ts'
import type { LiveRegion } from './live-region.ts'
import type { LiveVehicle } from './live-vehicle.ts'
import type { VisibleVehicles } from './operator-vehicles.ts'

/** Changes are collected for `gatherMs`. Readers with more than `maxPendingBytes` are disconnected. */
export const streamPace = { gatherMs: 500, heartbeatMs: 15_000, maxPendingBytes: 8 * 2 ** 20 }
export type StreamPace = typeof streamPace

export interface VehicleStreamOptions {
  region: LiveRegion
  /** Operators that the viewer may see; null: all. */
  operators: readonly string[] | null
  /** The last change that the viewer has received; null for future changes only. */
  after: number | null
  nowMs: () => number
  /** Whether the viewer still has access. Checked with every heartbeat. */
  canView: () => Promise<boolean>
  /** Aborted when the viewer disconnects. */
  signal: AbortSignal
  pace?: Partial<StreamPace>
}

/** Caches the last encoded changes: streams of the same vehicles usually send the same ones. */
const lastChanges = new WeakMap<VisibleVehicles, { after: number; until: number; bytes: Buffer | null }>()

/** Encodes the changes after a change number as an event, from the cache if possible; null if there are none. */
function encodeChanges(vehicles: VisibleVehicles, after: number, nowMs: () => number): Buffer | null {
  const until = vehicles.lastChange
  const cached = lastChanges.get(vehicles)
  if (cached?.after === after && cached.until === until) return cached.bytes
  const bytes = writeChanges(vehicles, after, nowMs())
  lastChanges.set(vehicles, { after, until, bytes })
  return bytes
}

function writeChanges(vehicles: VisibleVehicles, after: number, time: number): Buffer | null {
  const at = vehicles.lastChange
  const changed = vehicles.changedSince(after)
  // The number is too old or from another server, which has other handles: send all vehicles.
  if (!changed) return Buffer.from(formatEvent('reset', at, toLiveColumns(vehicles.all(), { at, time })))
  const present: LiveVehicle[] = []
  const gone: number[] = []
  for (const handle of [...changed].sort((a, b) => a - b)) {
    const vehicle = vehicles.get(handle)
    if (vehicle) present.push(vehicle)
    else gone.push(handle)
  }
  if (!present.length && !gone.length) return null
  return Buffer.from(formatEvent('vehicles', at, toLiveColumns(present, { at, time, gone })))
}

const formatEvent = (name: string, id: number, data: unknown): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** Streams changes of a region's vehicles as server-sent events. Readers that are too slow are cut off. */
export function createVehicleStream({
  region,
  operators,
  after,
  nowMs,
  canView,
  signal,
  pace,
}: VehicleStreamOptions): Readable {
  const { gatherMs, heartbeatMs, maxPendingBytes } = { ...streamPace, ...pace }
  const vehicles = region.visibleTo(operators, nowMs())
  const stream = new Readable({ read() {} })
  let lastSent = after ?? vehicles.lastChange
  let timer: NodeJS.Timeout | null = null

  const send = (text: string | Buffer): void => {
    if (stream.destroyed) return
    stream.push(text)
    if (stream.readableLength > maxPendingBytes) stream.destroy()
  }

  const flush = (): void => {
    timer = null
    const bytes = encodeChanges(vehicles, lastSent, nowMs)
    lastSent = vehicles.lastChange
    if (bytes) send(bytes)
  }
  const scheduleFlush = (): void => {
    timer ??= setTimeout(flush, gatherMs)
  }

  const sendHeartbeat = async (): Promise<void> => {
    const isAllowed = await canView().catch(() => false)
    if (isAllowed) send(': \n\n')
    else stream.push(null)
  }
  const heartbeatTimer = setInterval(() => void sendHeartbeat(), heartbeatMs)
  const stopWatching = [
    vehicles.watch(scheduleFlush),
    region.watchStations((operator) =>
      canReadOperator({ operators }, operator) ? send(formatEvent('stations', lastSent, {})) : undefined,
    ),
  ]
  const handleAbort = (): void => void stream.destroy()
  for (const end of [signal, region.ended]) end.addEventListener('abort', handleAbort, { once: true })
  stream.once('close', () => {
    clearInterval(heartbeatTimer)
    if (timer) clearTimeout(timer)
    for (const stop of stopWatching) stop()
    for (const end of [signal, region.ended]) end.removeEventListener('abort', handleAbort)
  })
  if (signal.aborted || region.ended.aborted) handleAbort()
  // Sends the start position, from which a viewer who is disconnected before the first change can resume.
  send(`retry: 2000\n${formatEvent('hello', after ?? lastSent, {})}`)
  if (lastSent !== vehicles.lastChange) flush()
  return stream
}
