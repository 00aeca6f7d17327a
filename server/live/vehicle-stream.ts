import { Readable } from 'node:stream'
import { canReadOperator } from '#server/stores/scope.ts'
import { toLiveColumns } from './live-columns.ts'
import type { LiveRegion } from './live-region.ts'
import type { LiveVehicle } from './live-vehicle.ts'
import type { VisibleVehicles } from './operator-vehicles.ts'

/** Intervals, ms, and how many bytes may be pending for a reader. */
export const streamPace = { gather: 500, heartbeat: 15_000, waiting: 8 * 2 ** 20 }
export type StreamPace = typeof streamPace

export interface VehicleStreamOptions {
  region: LiveRegion
  /** Operators that the viewer may see; null: all. */
  operators: readonly string[] | null
  /** The last change that the viewer knows; null for future changes only. */
  after: number | null
  /** Ms since 1970. */
  now: () => number
  /** Whether the viewer still has access. Checked with every heartbeat. */
  canView: () => Promise<boolean>
  /** Aborted when the viewer disconnects. */
  signal: AbortSignal
  pace?: Partial<StreamPace>
}

/** The newest changes as they are sent. Streams of the same vehicles send the same ones at the same time. */
const lastTexts = new WeakMap<VisibleVehicles, { after: number; at: number; bytes: Buffer | null }>()

/** Changes of vehicles after a number as an event; null: nothing that is visible. */
function changesText(vehicles: VisibleVehicles, after: number, now: () => number): Buffer | null {
  const { at } = vehicles
  const last = lastTexts.get(vehicles)
  if (last?.after === after && last.at === at) return last.bytes
  const bytes = writeChanges(vehicles, after, now())
  lastTexts.set(vehicles, { after, at, bytes })
  return bytes
}

function writeChanges(vehicles: VisibleVehicles, after: number, time: number): Buffer | null {
  const { at } = vehicles
  const changed = vehicles.changedSince(after)
  // Numbers and handles of another server mean nothing here, and the next call may reach that one.
  if (!changed) return Buffer.from(event('reset', at, toLiveColumns(vehicles.all(), { at, time })))
  const present: LiveVehicle[] = []
  const gone: number[] = []
  for (const handle of [...changed].sort((a, b) => a - b)) {
    const vehicle = vehicles.of(handle)
    if (vehicle) present.push(vehicle)
    else gone.push(handle)
  }
  if (!present.length && !gone.length) return null
  return Buffer.from(event('vehicles', at, toLiveColumns(present, { at, time, gone })))
}

const event = (name: string, id: number, data: unknown): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** Changes of a region's vehicles as server-sent events, gathered for half a second. A reader that does not keep up is disconnected. */
export function vehicleStream({
  region,
  operators,
  after,
  now,
  canView,
  signal,
  pace,
}: VehicleStreamOptions): Readable {
  const { gather, heartbeat, waiting } = { ...streamPace, ...pace }
  const vehicles = region.visibleTo(operators, now())
  const stream = new Readable({ read() {} })
  let sent = after ?? vehicles.at
  let timer: NodeJS.Timeout | null = null

  const send = (text: string | Buffer): void => {
    if (stream.destroyed) return
    stream.push(text)
    if (stream.readableLength > waiting) stream.destroy()
  }

  const flush = (): void => {
    timer = null
    const bytes = changesText(vehicles, sent, now)
    sent = vehicles.at
    if (bytes) send(bytes)
  }
  const scheduleFlush = (): void => {
    timer ??= setTimeout(flush, gather)
  }

  const sendHeartbeat = async (): Promise<void> => {
    const isAllowed = await canView().catch(() => false)
    if (isAllowed) send(': \n\n')
    else stream.push(null)
  }
  const heartbeatTimer = setInterval(() => void sendHeartbeat(), heartbeat)
  const stopWatching = [
    vehicles.watch(scheduleFlush),
    region.watchStations((operator) =>
      canReadOperator({ operators }, operator) ? send(event('stations', sent, {})) : undefined,
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
  // Sends the start position, so that a viewer who is disconnected before the first change resumes there.
  send(`retry: 2000\n${event('hello', after ?? sent, {})}`)
  if (sent !== vehicles.at) flush()
  return stream
}
