import { expect, it } from 'vitest'
import { flatLists } from './flat-lists.ts'

it('flatLists puts the items of each list together, in their order, and knows empty ones', () => {
  const { starts, items } = flatLists(4, (add) => {
    for (const [list, item] of [
      [2, 7],
      [0, 5],
      [2, 8],
      [0, 6],
    ] as const)
      add(list, item)
  })
  const lists = [0, 1, 2, 3].map((list) => [...items.subarray(starts[list], starts[list + 1])])
  expect(lists).toEqual([[5, 6], [], [7, 8], []])
  expect([...flatLists(0, () => {}).starts]).toEqual([0])
})
