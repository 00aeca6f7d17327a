import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MemoryRateCounters, SharedRateCounters } from '#server/http/rate-limits.ts'
import type { State } from '#server/stores/state.ts'
import { stateKinds } from './open-stores.ts'

const minute = 60_000

describe.each(stateKinds)('limits in $name', ({ open }) => {
  let opened: { store: State; close: () => Promise<void> }
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  it('are those of one server, whichever server is called', async () => {
    const servers = [new SharedRateCounters(opened.store), new SharedRateCounters(opened.store)]
    const alone = new MemoryRateCounters()
    const limit = { calls: 5, windowMs: 10_000 }
    let at = 0
    for (let call = 0; call < 60; call++) {
      at += (call * 7919) % 3500
      const shared = await servers[call % 2]!.take('key', limit, at)
      const own = await alone.take('key', limit, at)
      expect([call, shared.isAllowed, shared.remaining]).toEqual([call, own.isAllowed, own.remaining])
    }
  })

  it('let as many calls at once pass as there are, and are forgotten when they are full', async () => {
    const counters = new SharedRateCounters(opened.store)
    const limit = { calls: 4, windowMs: minute }
    const calls = await Promise.all(Array.from({ length: 20 }, () => counters.take('busy', limit, minute)))
    expect(calls.filter(({ isAllowed }) => isAllowed)).toHaveLength(4)
    await counters.removeOld(minute * 2)
    expect((await counters.peek('busy', limit, minute)).remaining).toBe(3)
  })
})
