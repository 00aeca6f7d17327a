import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { InsertGroups, maxGroupedBytes } from './insert-groups.ts'
import { getCurrentWork, createLightWork, runInWorkload } from './workloads.ts'

/** Groups over a table of lines. An insert waits until the test calls `finishNext`. */
function openGroups(fails: (lines: string) => boolean = () => false) {
  const inserts: { lines: string; workload: string; finish: () => void }[] = []
  const groups = new InsertGroups(
    (_table, _columns, lines) =>
      new Promise((resolve, reject) => {
        const text = Buffer.from(lines).toString()
        const finish = (): void => (fails(text) ? reject(new Error(`cannot store ${text}`)) : resolve())
        inserts.push({ lines: text, workload: getCurrentWork().workload, finish })
      }),
  )
  const insert = (regionId: string, lines: string): Promise<void> =>
    groups.insert('stops', ['id'], regionId, Buffer.from(lines))
  const finishNext = async (): Promise<void> => {
    inserts.findLast(() => true)?.finish()
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  return { inserts, insert, start: nextTurn, finishNext, getLines: () => inserts.map(({ lines }) => lines) }
}

test('InsertGroups joins rows that arrive together or during an insert, one batch of each region at a time', async () => {
  const { insert, start, finishNext, getLines } = openGroups()
  const inserts = [insert('a', 'a1 '), insert('a', 'a2 '), insert('b', 'b1 ')]
  await start()
  expect(getLines()).toEqual(['a1 b1 '])
  inserts.push(insert('c', 'c1 '), insert('a', 'a3 '))
  await finishNext()
  expect(getLines()).toEqual(['a1 b1 ', 'a2 c1 '])
  await finishNext()
  expect(getLines()).toEqual(['a1 b1 ', 'a2 c1 ', 'a3 '])
  await finishNext()
  await expect(Promise.all(inserts)).resolves.toHaveLength(5)
  const later = insert('a', 'a4 ')
  await start()
  expect(getLines().at(-1)).toBe('a4 ')
  await finishNext()
  await expect(later).resolves.toBeUndefined()
})

test('InsertGroups rejects only the rows that cannot be stored', async () => {
  const { insert, start, finishNext } = openGroups((lines) => lines.includes('bad'))
  const settled = Promise.allSettled([insert('a', 'a1 '), insert('b', 'good '), insert('c', 'bad ')])
  await start()
  for (let index = 0; index < 4; index++) await finishNext()
  const outcomes = (await settled).map(({ status }) => status)
  expect(outcomes).toEqual(['fulfilled', 'fulfilled', 'rejected'])
})

test('InsertGroups does not join rows beyond the maximum size', async () => {
  const { insert, start, finishNext, getLines } = openGroups()
  const large = 'x'.repeat(maxGroupedBytes / 2 + 1)
  const inserts = Promise.all([insert('b', large), insert('c', large), insert('d', 'd1 ')])
  await start()
  expect(getLines()).toEqual([`${large}d1 `])
  await finishNext()
  expect(getLines()).toEqual([`${large}d1 `, large])
  await finishNext()
  await expect(inserts).resolves.toHaveLength(3)
})

test('InsertGroups inserts in the workload of the calls that wait for it', async () => {
  const { insert, start, finishNext, inserts } = openGroups()
  const call = createLightWork()
  const first = runInWorkload(call, () => insert('a', 'a1 '))
  const second = runInWorkload(createLightWork(), () => insert('b', 'b1 '))
  const third = insert('c', 'c1 ')
  await start()
  call.end()
  for (let index = 0; index < 3; index++) {
    for (const { finish } of inserts) finish()
    await finishNext()
  }
  await Promise.all([first, second, third])
  const workloads = inserts.map(({ lines, workload }) => `${lines}${workload}`)
  expect(workloads.toSorted()).toEqual(['a1 b1 light', 'c1 background'])
})
