import { Readable } from 'node:stream'
import { canReadOperator } from '#server/stores/scope.ts'
import { liveColumns } from './live-columns.ts'
import type { LiveRegion } from './live-region.ts'
import type { LiveVehicle } from './live-vehicle.ts'

/** How often what is done, ms; and how many bytes may wait for a reader. */
export const streamPace = { gather: 500, heartbeat: 15_000, waiting: 8 * 2 ** 20 }
export type StreamPace = typeof streamPace

export interface StreamAsk {
  region: LiveRegion
  /** Operators that the asker may see; null: all. */
  operators: readonly string[] | null
  /** The last change that the asker knows; null: only what comes. */
  after: number | null
  /** Ms since 1970. */
  now: () => number
  /** Whether the asker may still look. Asked with every heartbeat. */
  mayLook: () => Promise<boolean>
  /** Stops when the asker goes away. */
  signal: AbortSignal
  pace?: Partial<StreamPace>
}

const event = (name: string, id: number, data: unknown): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** Changes of a region's vehicles as server-sent events, gathered for half a second. A reader who does not keep up is let go. */
export function vehicleStream({ region, operators, after, now, mayLook, signal, pace }: StreamAsk): Readable {
  const { gather, heartbeat, waiting } = { ...streamPace, ...pace }
  const vehicles = region.seenBy(operators, now())
  const stream = new Readable({ read() {} })
  let sent = after ?? vehicles.at
  let timer: NodeJS.Timeout | null = null

  const say = (text: string): void => {
    if (stream.destroyed) return
    stream.push(text)
    if (stream.readableLength > waiting) stream.destroy()
  }

  const flush = (): void => {
    timer = null
    const changed = vehicles.changedSince(sent)
    sent = vehicles.at
    if (!changed) return say(event('reset', sent, {}))
    const there: LiveVehicle[] = []
    const gone: number[] = []
    for (const handle of [...changed].sort((a, b) => a - b)) {
      const vehicle = vehicles.of(handle)
      if (vehicle) there.push(vehicle)
      else gone.push(handle)
    }
    if (there.length || gone.length)
      say(event('vehicles', sent, liveColumns(there, { at: sent, time: now(), gone })))
  }
  const wake = (): void => {
    timer ??= setTimeout(flush, gather)
  }

  const beat = async (): Promise<void> => {
    const may = await mayLook().catch(() => false)
    if (may) say(': \n\n')
    else stream.push(null)
  }
  const beats = setInterval(() => void beat(), heartbeat)
  const stopWatching = [
    vehicles.watch(wake),
    region.watchStations((operator) =>
      canReadOperator({ operators }, operator) ? say(event('stations', sent, {})) : undefined,
    ),
  ]
  const leave = (): void => void stream.destroy()
  for (const end of [signal, region.ended]) end.addEventListener('abort', leave, { once: true })
  stream.once('close', () => {
    clearInterval(beats)
    if (timer) clearTimeout(timer)
    for (const stop of stopWatching) stop()
    for (const end of [signal, region.ended]) end.removeEventListener('abort', leave)
  })
  if (signal.aborted || region.ended.aborted) leave()
  // Names where it begins, so that whoever is cut off before the first change resumes there.
  say(`retry: 2000\n${event('hello', after ?? sent, {})}`)
  if (sent !== vehicles.at) flush()
  return stream
}
