import { expect, test } from 'vitest'
import { minuteMs } from '#contract/period.ts'
import { QueryCounts, runAsCaller } from './query-counts.ts'

test('QueryCounts counts queries by caller over full minutes, at most ten', async () => {
  let now = 100 * minuteMs
  const counts = new QueryCounts(() => now)
  const query = (): Promise<void> => counts.count(() => Promise.resolve())
  await runAsCaller('fleet', async () => {
    await query()
    await query()
  })
  await query()
  expect(counts.list()).toEqual([])
  now += 2 * minuteMs
  const countPerMinute = (): Record<string, number> =>
    Object.fromEntries(counts.list().map(({ caller, queriesPerMinute }) => [caller, queriesPerMinute]))
  expect(countPerMinute()).toEqual({ fleet: 1, other: 0.5 })
  now += 9 * minuteMs
  await query()
  expect(countPerMinute()).toEqual({})
})

test('QueryCounts counts queries that fail', async () => {
  let now = 0
  const counts = new QueryCounts(() => now)
  await expect(counts.count(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  now += minuteMs
  expect(counts.list()).toMatchObject([{ caller: 'other', queriesPerMinute: 1 }])
})
