import { Readable } from 'node:stream'
import { canReadOperator } from '#server/stores/scope.ts'
import { toLiveColumns } from './live-columns.ts'
import type { LiveRegion } from './live-region.ts'
import type { LiveVehicle } from './live-vehicle.ts'

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

  const send = (text: string): void => {
    if (stream.destroyed) return
    stream.push(text)
    if (stream.readableLength > waiting) stream.destroy()
  }

  const flush = (): void => {
    timer = null
    const changed = vehicles.changedSince(sent)
    sent = vehicles.at
    if (!changed) {
      // Numbers and handles of another server mean nothing here, and the next call may reach that one.
      const list = [...vehicles.all()]
      return send(event('reset', sent, toLiveColumns(list, { at: sent, time: now() })))
    }
    const present: LiveVehicle[] = []
    const gone: number[] = []
    for (const handle of [...changed].sort((a, b) => a - b)) {
      const vehicle = vehicles.of(handle)
      if (vehicle) present.push(vehicle)
      else gone.push(handle)
    }
    if (present.length || gone.length)
      send(event('vehicles', sent, toLiveColumns(present, { at: sent, time: now(), gone })))
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
