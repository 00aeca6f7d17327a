import fc from 'fast-check'
import { expect, it } from 'vitest'
import { gapsFrom } from './zone-links.ts'

const horizon = 60
const span = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.option(fc.integer({ min: 0, max: 15 }), { nil: null }))
  .map(([from, length]) => ({ from, to: length === null ? null : from + length }))

it('finds exactly the times from the start on that no span covers', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50 }), fc.array(span, { maxLength: 6 }), (from, spans) => {
      const gaps = gapsFrom(from, spans)
      const covers = (at: number, all: readonly { from: number; to: number | null }[]): number =>
        all.filter((each) => each.from <= at && (each.to === null || at < each.to)).length
      for (let at = 0; at < horizon; at += 1)
        expect(covers(at, gaps)).toBe(at >= from && covers(at, spans) === 0 ? 1 : 0)
      expect(gaps.filter(({ from: start, to }) => to !== null && to <= start)).toEqual([])
    }),
  )
})

it('has no end where nothing follows', () => {
  expect(gapsFrom(5, [])).toEqual([{ from: 5, to: null }])
  expect(gapsFrom(5, [{ from: 0, to: null }])).toEqual([])
  expect(gapsFrom(5, [{ from: 8, to: null }])).toEqual([{ from: 5, to: 8 }])
})
