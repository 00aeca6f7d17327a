import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minuteMs } from '#contract/period.ts'
import { BatchedRateCounters, MemoryRateCounters, SharedRateCounters } from '#server/http/rate-limits.ts'
import type { State } from '#server/stores/state.ts'
import { stateKinds } from './open-stores.ts'

describe.each(stateKinds)('rate limits in $name', ({ open }) => {
  let opened: { store: State; close: () => Promise<void> }
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  it('are shared by all servers', async () => {
    const servers = [new SharedRateCounters(opened.store), new SharedRateCounters(opened.store)]
    const singleServer = new MemoryRateCounters()
    const limit = { calls: 5, windowMs: 10_000 }
    let nowMs = 0
    for (let call = 0; call < 60; call++) {
      nowMs += (call * 7919) % 3500
      const shared = await servers[call % 2]!.take('key', limit, nowMs)
      const single = await singleServer.take('key', limit, nowMs)
      expect([call, shared.isAllowed, shared.remaining]).toEqual([call, single.isAllowed, single.remaining])
    }
  })

  it('are exceeded by an address by at most the calls of a second, without a query per call', async () => {
    let queryCount = 0
    const state = {
      execute(text: string, values?: unknown[]) {
        queryCount++
        return opened.store.execute(text, values)
      },
    }
    const logged: unknown[] = []
    const servers = [0, 1].map(() => new BatchedRateCounters(state, (...line) => void logged.push(line)))
    const limit = { calls: 100, windowMs: minuteMs }
    const callsPerSecond = 20
    const seconds = 30
    let allowed = 0
    for (let call = 0; call < callsPerSecond * seconds; call++) {
      const server = servers[call % 2]!
      if ((await server.take('address', limit, 1000 + (call * 1000) / callsPerSecond)).isAllowed) allowed++
      await server.settled()
    }
    // The size of the bucket, what was refilled meanwhile, and at most the calls of a second.
    const refilled = (limit.calls * seconds * 1000) / limit.windowMs
    expect(allowed).toBeGreaterThanOrEqual(limit.calls + refilled - 1)
    expect(allowed).toBeLessThanOrEqual(limit.calls + refilled + callsPerSecond)
    expect(queryCount).toBeLessThanOrEqual(2 * (seconds + 1))
    expect(logged).toEqual([])
  })

  it('allow as many concurrent calls as are left, and are deleted when they are full', async () => {
    const counters = new SharedRateCounters(opened.store)
    const limit = { calls: 4, windowMs: minuteMs }
    const calls = await Promise.all(Array.from({ length: 20 }, () => counters.take('busy', limit, minuteMs)))
    expect(calls.filter(({ isAllowed }) => isAllowed)).toHaveLength(4)
    await counters.removeOld(minuteMs * 2)
    expect((await counters.peek('busy', limit, minuteMs)).remaining).toBe(3)
  })
})
