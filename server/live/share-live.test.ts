import { expect, test } from 'vitest'
import type { FeedBatch } from '#server/fleet/events/fleet-ingest.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import type { ServerMessages } from '#server/stores/server-messages.ts'
import { shareLive } from './share-live.ts'

/** Opens servers that receive each other's messages. */
function openNetwork() {
  const servers: { handlers: Map<string, (data: Record<string, unknown>) => void>; gap: () => void }[] = []
  const open = (): ServerMessages => {
    const self = {
      handlers: new Map<string, (data: Record<string, unknown>) => void>(),
      gap: () => undefined as void,
    }
    servers.push(self)
    return {
      send: (topic, data) => {
        for (const server of servers) if (server !== self) server.handlers.get(topic)?.(data)
      },
      on: (topic, handler) => void self.handlers.set(topic, handler),
      onGap: (handler) => void (self.gap = handler),
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
  windowStart: at,
  received: at,
  records: { ...noRecords(), ...records } as FeedBatch['records'],
})

test('shareLive makes other servers read from the earliest record of a batch, unless it is too old', () => {
  const network = openNetwork()
  const calls: unknown[] = []
  const live = (name: string) => ({
    refresh: (regionId: string, since: object) => void calls.push([name, regionId, since]),
    refreshAll: () => void calls.push([name, 'all']),
  })
  const shareBatch = shareLive(live('a'), network.open(), () => at)
  shareLive(live('b'), network.open(), () => at)
  shareBatch(
    batch({ events: [{ time: at - 5000 }, { time: at - 90_000 }], telemetry: [{ time: at - 1000 }] }),
  )
  expect(calls.splice(0)).toEqual([['b', 'alder', { time: at - 90_000, received: at }]])
  shareBatch(batch({ vehicles: [{}] }))
  expect(calls.splice(0)).toEqual([['b', 'alder', { time: at, received: at }]])
  shareBatch(batch({ events: [{ time: at - 400 * 86_400_000 }] }))
  shareBatch(batch({ trips: [{}] }))
  expect(calls.splice(0)).toEqual([])
  network.gap()
  expect(calls).toEqual([
    ['a', 'all'],
    ['b', 'all'],
  ])
})
