import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findMeetings } from './cut-at-crossings.ts'
import { findEdgePairs } from './edge-pairs.ts'

test('The search for edge pairs visits every pair of edges that meet', () => {
  const number = fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: -3, max: 3 }))
  const property = fc.property(
    fc.array(fc.tuple(number, number, number, number), { minLength: 2, maxLength: 40 }),
    (list) => {
      const edges = Float64Array.from(list.flat())
      const visited = new Set<string>()
      findEdgePairs(edges, (a, b) => visited.add(`${Math.min(a, b)} ${Math.max(a, b)}`))
      return list.every((_, a) =>
        list.every((__, b) => b <= a || findMeetings(edges, a, b).length === 0 || visited.has(`${a} ${b}`)),
      )
    },
  )
  expect(fc.check(property)).toMatchObject({ failed: false })
})

test('The search for edge pairs visits few other pairs', () => {
  const count = 20_000
  const edges = Float64Array.from({ length: 4 * count }, (_, index) => {
    const angle = (Math.floor(index / 4 + (index % 4 > 1 ? 1 : 0)) / count) * 2 * Math.PI
    return index % 2 === 0 ? Math.cos(angle) : Math.sin(angle)
  })
  let visits = 0
  findEdgePairs(edges, () => (visits += 1))
  expect(visits).toBeLessThan(50 * count * Math.sqrt(count / 1000))
})

test('The search for edge pairs gives up if all edges are in one place', () => {
  const edges = new Float64Array(4 * 20_000).fill(1)
  expect(() => findEdgePairs(edges, () => {})).toThrow('cross too often')
})
