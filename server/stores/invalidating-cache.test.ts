import { expect, test, vi } from 'vitest'
import { TableChanges } from './changes.ts'
import { InvalidatingCache } from './invalidating-cache.ts'

function createCache() {
  const [changes, time] = [new TableChanges(), { now: 0 }]
  return {
    changes,
    time,
    cache: new InvalidatingCache<string | null>({
      changes,
      tables: ['user', 'role'],
      ttlMs: 1000,
      maxEntries: 2,
      nowMs: () => time.now,
    }),
  }
}

test('InvalidatingCache reads a value once, also for concurrent calls, until one of its tables changes', async () => {
  const { changes, cache } = createCache()
  const read = vi.fn(() => Promise.resolve('a'))
  expect(await Promise.all([cache.get('k', read), cache.get('k', read)])).toEqual(['a', 'a'])
  changes.record('region')
  await cache.get('k', read)
  expect(read).toHaveBeenCalledTimes(1)
  changes.record('role')
  await cache.get('k', read)
  expect(read).toHaveBeenCalledTimes(2)
})

test('InvalidatingCache does not cache a value that was read during a change', async () => {
  const { changes, cache } = createCache()
  let resolveRead: (value: string) => void = () => undefined
  const slow = cache.get(
    'k',
    () =>
      new Promise((resolve) => {
        resolveRead = resolve
      }),
  )
  changes.record('user')
  resolveRead('old')
  expect(await slow).toBe('old')
  expect(await cache.get('k', () => Promise.resolve('new'))).toBe('new')
})

test('InvalidatingCache caches values until they expire, and neither null nor failures', async () => {
  const { time, cache } = createCache()
  const next = vi
    .fn<() => Promise<string | null>>()
    .mockResolvedValueOnce(null)
    .mockRejectedValueOnce(new Error('no'))
    .mockResolvedValueOnce('a')
    .mockResolvedValueOnce('b')
  expect(await cache.get('k', next)).toBeNull()
  await expect(cache.get('k', next)).rejects.toThrow('no')
  expect(await cache.get('k', next)).toBe('a')
  time.now = 999
  expect(await cache.get('k', next)).toBe('a')
  time.now = 1000
  expect(await cache.get('k', next)).toBe('b')
})

test('InvalidatingCache holds at most `maxEntries` values', async () => {
  const { cache } = createCache()
  for (const key of ['a', 'b', 'c']) await cache.get(key, () => Promise.resolve(key))
  expect(await cache.get('a', () => Promise.resolve('again'))).toBe('again')
})
