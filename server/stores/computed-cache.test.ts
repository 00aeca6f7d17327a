import { describe, expect, it, vi } from 'vitest'
import { ComputedCache } from './computed-cache.ts'

const createCache = () =>
  new ComputedCache<number[]>({ maxSize: 1000, getSize: ({ length }) => length + 100 })

describe('ComputedCache', () => {
  const rows = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
  const failing = (): Promise<number[]> => Promise.reject(new Error('computed again'))
  /** Returns whether a key is cached; otherwise its computation is called, which fails. */
  const isCached = (cache: ComputedCache<number[]>, key: string): Promise<boolean> =>
    cache.get(key, failing).then(
      () => true,
      () => false,
    )

  it('shares one computation between concurrent calls', async () => {
    const cache = createCache()
    let runs = 0
    const compute = (): Promise<number[]> => Promise.resolve(rows(++runs))
    expect(await Promise.all([cache.get('a', compute), cache.get('a', compute)])).toEqual([rows(1), rows(1)])
    expect(await cache.get('a', failing)).toEqual(rows(1))
    expect(runs).toBe(1)
  })

  it('evicts the least recently used values if the cache exceeds its maximum size', async () => {
    const cache = createCache()
    for (const key of ['a', 'b', 'c']) await cache.get(key, () => Promise.resolve(rows(200)))
    expect(await isCached(cache, 'a')).toBe(true)
    await cache.get('d', () => Promise.resolve(rows(200)))
    expect(await Promise.all(['a', 'b', 'c', 'd'].map((key) => isCached(cache, key)))).toEqual([
      true,
      false,
      true,
      true,
    ])
  })

  it('neither caches a value that is larger than the maximum, nor evicts others for it', async () => {
    const cache = createCache()
    await cache.get('small', () => Promise.resolve(rows(10)))
    expect(await cache.get('large', () => Promise.resolve(rows(5000)))).toHaveLength(5000)
    expect(await isCached(cache, 'large')).toBe(false)
    expect(await isCached(cache, 'small')).toBe(true)
  })

  it('returns the value even if its key is evicted during the computation', async () => {
    const cache = createCache()
    let finish: (found: number[]) => void = () => undefined
    const slow = cache.get('slow', () => new Promise((resolve) => (finish = resolve)))
    for (const key of ['a', 'b', 'c', 'd']) await cache.get(key, () => Promise.resolve(rows(800)))
    finish(rows(1))
    expect(await slow).toEqual(rows(1))
  })

  it('does not cache failures', async () => {
    const cache = createCache()
    await expect(cache.get('a', failing)).rejects.toThrow('computed again')
    expect(await cache.get('a', () => Promise.resolve(rows(7)))).toEqual(rows(7))
  })

  it('calls `onEvict` for the least recently used value when there are too many', async () => {
    const onEvict = vi.fn()
    const cache = new ComputedCache<number[]>({ max: 2 }, onEvict)
    for (const key of ['a', 'b', 'a', 'c']) await cache.get(key, () => Promise.resolve([1]))
    expect(onEvict.mock.calls).toEqual([['b', [1]]])
  })
})
