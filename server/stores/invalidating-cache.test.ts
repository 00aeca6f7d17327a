import { expect, it, vi } from 'vitest'
import { TableChanges } from './changes.ts'
import { InvalidatingCache } from './invalidating-cache'

function keeping() {
  const [changes, time] = [new TableChanges(), { now: 0 }]
  return {
    changes,
    time,
    kept: new InvalidatingCache<string | null>({
      changes,
      tables: ['user', 'role'],
      ttlMs: 1000,
      maxEntries: 2,
      now: () => time.now,
    }),
  }
}

it('reads a value once, also for two who ask at once, until a table of it changes', async () => {
  const { changes, kept } = keeping()
  const read = vi.fn(() => Promise.resolve('a'))
  expect(await Promise.all([kept.get('k', read), kept.get('k', read)])).toEqual(['a', 'a'])
  changes.record('region')
  await kept.get('k', read)
  expect(read).toHaveBeenCalledTimes(1)
  changes.record('role')
  await kept.get('k', read)
  expect(read).toHaveBeenCalledTimes(2)
})

it('does not keep what was read while a change was made', async () => {
  const { changes, kept } = keeping()
  let answer: (value: string) => void = () => undefined
  const slow = kept.get(
    'k',
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  changes.record('user')
  answer('old')
  expect(await slow).toBe('old')
  expect(await kept.get('k', () => Promise.resolve('new'))).toBe('new')
})

it('keeps for its time only, and neither nothing nor a failure', async () => {
  const { time, kept } = keeping()
  const next = vi
    .fn<() => Promise<string | null>>()
    .mockResolvedValueOnce(null)
    .mockRejectedValueOnce(new Error('no'))
    .mockResolvedValueOnce('a')
    .mockResolvedValueOnce('b')
  expect(await kept.get('k', next)).toBeNull()
  await expect(kept.get('k', next)).rejects.toThrow('no')
  expect(await kept.get('k', next)).toBe('a')
  time.now = 999
  expect(await kept.get('k', next)).toBe('a')
  time.now = 1000
  expect(await kept.get('k', next)).toBe('b')
})

it('holds no more than it may', async () => {
  const { kept } = keeping()
  for (const key of ['a', 'b', 'c']) await kept.get(key, () => Promise.resolve(key))
  expect(await kept.get('a', () => Promise.resolve('again'))).toBe('again')
})
