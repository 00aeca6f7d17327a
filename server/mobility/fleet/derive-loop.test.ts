import { expect, it } from 'vitest'
import { DeriveLoop } from './derive-loop.ts'

const open = (derive: (regionId: string, runIds: readonly string[]) => Promise<void> | void) => {
  const logged: unknown[] = []
  return {
    logged,
    loop: new DeriveLoop(
      async (regionId, { runIds }) => derive(regionId, runIds),
      (line, details) => logged.push([line, details]),
    ),
  }
}

it('derives all that waits of a region at once, and what comes meanwhile afterwards', async () => {
  const derived: unknown[] = []
  const { loop } = open((regionId, runIds) => {
    derived.push([regionId, runIds])
    if (derived.length === 1) loop.enqueue('a', 'o', '4')
  })
  loop.enqueue('a', 'o', '1')
  loop.enqueue('b', 'o', '2')
  loop.enqueue('a', 'o', '3')
  await loop.whenDerived()
  expect(derived).toEqual([
    ['a', ['1', '3']],
    ['b', ['2']],
    ['a', ['4']],
  ])
})

it('takes what could not be derived along with the next batch of the region, and says so', async () => {
  const derived: unknown[] = []
  let isBroken = true
  const { loop, logged } = open((regionId, runIds) => {
    if (isBroken && regionId === 'a') throw new Error('no room on the disk')
    derived.push([regionId, runIds])
  })
  loop.enqueue('a', 'o', '1')
  loop.enqueue('b', 'o', '2')
  await loop.whenDerived()
  expect(derived).toEqual([['b', ['2']]])
  expect(logged).toEqual([['derive', { regionId: 'a', error: 'no room on the disk' }]])
  isBroken = false
  loop.enqueue('a', 'o', '3')
  await loop.whenDerived()
  expect(derived).toEqual([
    ['b', ['2']],
    ['a', ['1', '3']],
  ])
})

it('begins nothing once closed', async () => {
  const derived: unknown[] = []
  const { loop } = open((regionId) => void derived.push(regionId))
  await loop.close()
  loop.enqueue('a', 'o', '1')
  await loop.whenDerived()
  expect(derived).toEqual([])
})
