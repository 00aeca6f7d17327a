import { expect, it } from 'vitest'
import type { FeedBatch } from '#server/fleet/events/fleet-ingest.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import type { ServerMessages } from '#server/stores/server-messages.ts'
import { shareLive } from './share-live.ts'

/** Servers that hear each other. */
function openNetwork() {
  const servers: { handlers: Map<string, (data: Record<string, unknown>) => void>; gap: () => void }[] = []
  const open = (): ServerMessages => {
    const own = {
      handlers: new Map<string, (data: Record<string, unknown>) => void>(),
      gap: () => undefined as void,
    }
    servers.push(own)
    return {
      send: (topic, data) => {
        for (const server of servers) if (server !== own) server.handlers.get(topic)?.(data)
      },
      on: (topic, handler) => void own.handlers.set(topic, handler),
      onGap: (handler) => void (own.gap = handler),
      close: () => Promise.resolve(),
    }
  }
  return { open, gap: () => servers.forEach((server) => server.gap()) }
}

const at = Date.UTC(2026, 5, 1)
const batch = (records: object): FeedBatch => ({
  organizationId: 'o',
  regionId: 'alder',
  operator: 'lark',
  feedId: 'f',
  stream: 'events',
  pullWindow: at,
  received: at,
  records: { ...noRecords(), ...records } as FeedBatch['records'],
})

it('makes other servers read what is new, since its earliest record, and none of the distant past', () => {
  const network = openNetwork()
  const calls: unknown[] = []
  const live = (name: string) => ({
    refresh: (regionId: string, since: object) => void calls.push([name, regionId, since]),
    refreshAll: () => void calls.push([name, 'all']),
  })
  const report = shareLive(live('a'), network.open(), () => at)
  shareLive(live('b'), network.open(), () => at)
  report(batch({ events: [{ time: at - 5000 }, { time: at - 90_000 }], telemetry: [{ time: at - 1000 }] }))
  expect(calls.splice(0)).toEqual([['b', 'alder', { time: at - 90_000, received: at }]])
  report(batch({ vehicles: [{}] }))
  expect(calls.splice(0)).toEqual([['b', 'alder', { time: at, received: at }]])
  report(batch({ events: [{ time: at - 400 * 86_400_000 }] }))
  report(batch({ trips: [{}] }))
  expect(calls.splice(0)).toEqual([])
  network.gap()
  expect(calls).toEqual([
    ['a', 'all'],
    ['b', 'all'],
  ])
})
