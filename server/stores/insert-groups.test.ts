import { afterEach, expect, it, vi } from 'vitest'
import { InsertGroups, maxGroupedBytes } from './insert-groups.ts'
import { currentWork, lightWork, runInWorkload } from './workloads.ts'

/** Groups over a table of lines. An insert waits until the test calls `finishNext`. */
function openGroups(fails: (lines: string) => boolean = () => false) {
  const inserts: { lines: string; workload: string; finish: () => void }[] = []
  const groups = new InsertGroups(
    (_table, _columns, lines) =>
      new Promise((resolve, reject) => {
        const text = Buffer.from(lines).toString()
        const finish = (): void => (fails(text) ? reject(new Error(`cannot store ${text}`)) : resolve())
        inserts.push({ lines: text, workload: currentWork().workload, finish })
      }),
  )
  const insert = (regionId: string, lines: string): Promise<void> =>
    groups.insert('stops', ['id'], regionId, Buffer.from(lines))
  const finishNext = async (): Promise<void> => {
    inserts.findLast(() => true)?.finish()
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  return { inserts, insert, finishNext, linesOf: () => inserts.map(({ lines }) => lines) }
}

it('joins rows that arrive during an insert, one batch of each region at a time', async () => {
  const { insert, finishNext, linesOf } = openGroups()
  const all = Promise.all([insert('a', 'a1 '), insert('a', 'a2 '), insert('b', 'b1 '), insert('a', 'a3 ')])
  expect(linesOf()).toEqual(['a1 '])
  await finishNext()
  expect(linesOf()).toEqual(['a1 ', 'a2 b1 '])
  await finishNext()
  expect(linesOf()).toEqual(['a1 ', 'a2 b1 ', 'a3 '])
  await finishNext()
  await expect(all).resolves.toHaveLength(4)
  const later = insert('a', 'a4 ')
  expect(linesOf().at(-1)).toBe('a4 ')
  await finishNext()
  await expect(later).resolves.toBeUndefined()
})

afterEach(() => void vi.useRealTimers())

it('collects rows for a while after a joined insert, but not otherwise', async () => {
  vi.useFakeTimers()
  const { insert, finishNext, linesOf } = openGroups()
  const all = [insert('a', 'a1 '), insert('b', 'b1 '), insert('c', 'c1 ')]
  await finishNext()
  await finishNext()
  all.push(insert('a', 'a2 '))
  await vi.advanceTimersByTimeAsync(130)
  all.push(insert('b', 'b2 '))
  expect(linesOf()).toEqual(['a1 ', 'b1 c1 '])
  await vi.advanceTimersByTimeAsync(20)
  expect(linesOf().at(-1)).toBe('a2 b2 ')
  await finishNext()
  await vi.advanceTimersByTimeAsync(150)
  all.push(insert('a', 'a3 '))
  await finishNext()
  all.push(insert('a', 'a4 '))
  expect(linesOf().slice(-2)).toEqual(['a3 ', 'a4 '])
  await finishNext()
  await expect(Promise.all(all)).resolves.toHaveLength(7)
})

it('rejects only the rows that cannot be stored', async () => {
  const { insert, finishNext } = openGroups((lines) => lines.includes('bad'))
  const first = insert('a', 'a1 ')
  const [good, bad] = [insert('b', 'good '), insert('c', 'bad ')]
  const settled = Promise.allSettled([first, good, bad])
  for (let index = 0; index < 4; index++) await finishNext()
  const outcomes = (await settled).map(({ status }) => status)
  expect(outcomes).toEqual(['fulfilled', 'fulfilled', 'rejected'])
})

it('does not join rows beyond the maximum size', async () => {
  const { insert, finishNext, inserts } = openGroups()
  const large = 'x'.repeat(maxGroupedBytes / 2 + 1)
  const all = Promise.all([insert('a', 'a1 '), insert('b', large), insert('c', large), insert('d', 'd1 ')])
  await finishNext()
  expect(inserts[1]?.lines).toBe(`${large}d1 `)
  await finishNext()
  await finishNext()
  await expect(all).resolves.toHaveLength(4)
})

it('inserts in the workload of the calls that wait for it', async () => {
  const { insert, finishNext, inserts } = openGroups()
  const call = lightWork()
  const first = runInWorkload(call, () => insert('a', 'a1 '))
  const second = runInWorkload(lightWork(), () => insert('b', 'b1 '))
  const third = insert('c', 'c1 ')
  call.end()
  for (let index = 0; index < 3; index++) {
    for (const { finish } of inserts) finish()
    await finishNext()
  }
  await Promise.all([first, second, third])
  const workloads = inserts.map(({ lines, workload }) => `${lines}${workload}`)
  expect(workloads.toSorted()).toEqual(['a1 light', 'b1 light', 'c1 background'])
})
