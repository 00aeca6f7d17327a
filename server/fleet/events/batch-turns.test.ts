import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BatchTurns } from './batch-turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Opens turns, and the batches that have started. A batch is stored when the test calls `finish`. */
function openTurns() {
  const turns = new BatchTurns()
  const started: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const add = (name: string): Promise<string> =>
    turns.run(() => {
      started.push(name)
      return new Promise((resolve, reject) =>
        ends.set(name, (error) => (error ? reject(error) : resolve(`${name} stored`))),
      )
    })
  const finish = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)?.(error)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { turns, started, add, finish }
}

test('BatchTurns starts a single batch immediately, and those that arrive meanwhile together when it ends', async () => {
  const { started, add, finish } = openTurns()
  const batches = [add('a'), add('b'), add('c')]
  expect(started).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(400)
  expect(started).toEqual(['a'])
  await finish('a')
  expect(started).toEqual(['a', 'b', 'c'])
  await finish('b')
  await finish('c')
  await expect(Promise.all(batches)).resolves.toEqual(['a stored', 'b stored', 'c stored'])
})

test('BatchTurns collects batches for a while after a joined turn, but not after a single batch', async () => {
  const { started, add, finish } = openTurns()
  const batches = [add('a'), add('b'), add('c')]
  for (const name of ['a', 'b', 'c']) await finish(name)
  batches.push(add('d'))
  await vi.advanceTimersByTimeAsync(140)
  batches.push(add('e'))
  expect(started).toEqual(['a', 'b', 'c'])
  await vi.advanceTimersByTimeAsync(10)
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e'])
  for (const name of ['d', 'e']) await finish(name)
  await vi.advanceTimersByTimeAsync(150)
  batches.push(add('f'))
  expect(started.at(-1)).toBe('f')
  await finish('f')
  batches.push(add('g'))
  expect(started.at(-1)).toBe('g')
  await finish('g')
  await expect(Promise.all(batches)).resolves.toHaveLength(7)
})

test('BatchTurns does not wait longer than a second for a slow batch', async () => {
  const { started, add, finish } = openTurns()
  const batches = [add('slow'), add('b')]
  await vi.advanceTimersByTimeAsync(999)
  expect(started).toEqual(['slow'])
  await vi.advanceTimersByTimeAsync(1)
  expect(started).toEqual(['slow', 'b'])
  await finish('b')
  await finish('slow')
  await expect(Promise.all(batches)).resolves.toEqual(['slow stored', 'b stored'])
})

test('BatchTurns rejects only the batch that fails, and continues', async () => {
  const { add, finish } = openTurns()
  const outcomes = Promise.allSettled([add('a'), add('b'), add('c')])
  await finish('a', new Error('cannot be stored'))
  await finish('b', new Error('cannot be stored'))
  await finish('c')
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

test('BatchTurns runs each batch in the async context of its call', async () => {
  const { turns } = openTurns()
  const caller = new AsyncLocalStorage<string>()
  const run = (name: string) => caller.run(name, () => turns.run(() => Promise.resolve(caller.getStore())))
  await expect(Promise.all([run('a'), run('b')])).resolves.toEqual(['a', 'b'])
})
