import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findGaps } from './zone-links.ts'

const horizon = 60
const anySpan = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.option(fc.integer({ min: 0, max: 15 }), { nil: null }))
  .map(([from, length]) => ({ from, to: length === null ? null : from + length }))

test('findGaps returns exactly the times from the start on that no span covers', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50 }), fc.array(anySpan, { maxLength: 6 }), (from, spans) => {
      const gaps = findGaps(from, spans)
      const countCovering = (
        time: number,
        candidates: readonly { from: number; to: number | null }[],
      ): number =>
        candidates.filter((link) => link.from <= time && (link.to === null || time < link.to)).length
      for (let time = 0; time < horizon; time += 1)
        expect(countCovering(time, gaps)).toBe(time >= from && countCovering(time, spans) === 0 ? 1 : 0)
      expect(gaps.filter(({ from: start, to }) => to !== null && to <= start)).toEqual([])
    }),
  )
})

test('findGaps returns an open-ended gap unless a later span follows', () => {
  expect(findGaps(5, [])).toEqual([{ from: 5, to: null }])
  expect(findGaps(5, [{ from: 0, to: null }])).toEqual([])
  expect(findGaps(5, [{ from: 8, to: null }])).toEqual([{ from: 5, to: 8 }])
})
