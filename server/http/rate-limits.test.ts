import { describe, expect, it } from 'vitest'
import { MemoryRateCounters, createRateHeaders, type RateLimit } from './rate-limits.ts'

/** Returns whether each call is allowed, counted per millisecond in whole numbers: a call costs `windowMs`. */
function countExactly(times: readonly number[], { calls, windowMs }: RateLimit): boolean[] {
  let left = calls * windowMs
  let now = times[0] ?? 0
  return times.map((at) => {
    for (; now < at; now++) left = Math.min(calls * windowMs, left + calls)
    if (left < windowMs) return false
    left -= windowMs
    return true
  })
}

/** Yields pseudorandom numbers from 0 to 1 that are the same in every run. */
function* randomNumbers(seed: number): Generator<number> {
  let state = seed
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    yield state / 2_147_483_648
  }
}

describe('a limit', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed + 1))(
    'allows the calls that an exact count allows (%i)',
    async (seed) => {
      const numbers = randomNumbers(seed)
      const draw = (max: number): number => Math.floor((numbers.next().value as number) * max)
      const limit = { calls: 1 + draw(8), windowMs: 200 + draw(2000) }
      const times = Array.from({ length: 60 }, () => draw(6000)).toSorted((a, b) => a - b)
      const counters = new MemoryRateCounters()
      const allowed: boolean[] = []
      for (const at of times) allowed.push((await counters.take('key', limit, at)).isAllowed)
      expect(allowed).toEqual(countExactly(times, limit))
    },
  )

  it('counts keys separately, and does not count `peek`', async () => {
    const counters = new MemoryRateCounters()
    const limit = { calls: 1, windowMs: 1000 }
    expect((await counters.peek('a', limit, 0)).isAllowed).toBe(true)
    expect((await counters.take('a', limit, 0)).isAllowed).toBe(true)
    expect((await counters.take('a', limit, 0)).isAllowed).toBe(false)
    expect((await counters.peek('a', limit, 0)).isAllowed).toBe(false)
    expect((await counters.take('b', limit, 0)).isAllowed).toBe(true)
  })

  it('reports the remaining calls, and after a refusal when to try again', async () => {
    const counters = new MemoryRateCounters()
    const limit = { calls: 6, windowMs: 60_000 }
    const first = await counters.take('key', limit, 0)
    expect(createRateHeaders(limit, first)).toEqual({
      'ratelimit-limit': '6',
      'ratelimit-remaining': '5',
      'ratelimit-reset': '10',
      'ratelimit-policy': '6;w=60',
    })
    for (let index = 0; index < 5; index++) await counters.take('key', limit, 0)
    const refused = await counters.take('key', limit, 4000)
    expect(createRateHeaders(limit, refused)).toMatchObject({
      'ratelimit-remaining': '0',
      'retry-after': '6',
    })
    expect((await counters.take('key', limit, 4000 + refused.resetMs)).isAllowed).toBe(true)
  })

  it('works if the clock is set back', async () => {
    const counters = new MemoryRateCounters()
    const limit = { calls: 1, windowMs: 1000 }
    await counters.take('key', limit, 10_000)
    expect((await counters.take('key', limit, 0)).isAllowed).toBe(false)
    expect((await counters.take('key', limit, 11_000)).isAllowed).toBe(true)
  })
})
