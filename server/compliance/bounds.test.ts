import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOver, isWithin, getMinCount, getMaxCount, roundToNineDecimals } from './bounds.ts'
import type { Bounds } from './rule.ts'

const makeBounds = (minimum: number, maximum: number, inclusive = true): Bounds => ({
  minimum,
  maximum,
  inclusiveMinimum: inclusive,
  inclusiveMaximum: inclusive,
})

test('A value equal to a bound is within bounds by default', () => {
  expect([1, 2, 5, 6].map((value) => isWithin(makeBounds(2, 5), value))).toEqual([false, true, true, false])
  expect([2, 3, 4, 5].map((value) => isWithin(makeBounds(2, 5, false), value))).toEqual([
    false,
    true,
    true,
    false,
  ])
  expect([-1e9, 0, 1e9].map((value) => isWithin(makeBounds(-Infinity, Infinity), value))).toEqual([
    true,
    true,
    true,
  ])
})

test('A value over its maximum is distinguished from one under its minimum', () => {
  expect([1, 5, 6].map((value) => isOver(makeBounds(2, 5), value))).toEqual([false, false, true])
  expect(isOver(makeBounds(2, 5, false), 5)).toBe(true)
})

test('Bounds allow and require the integers within them', () => {
  const bound = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.double({ min: 0, max: 20, noNaN: true }))
  expect(() =>
    fc.assert(
      fc.property(
        bound,
        bound,
        fc.boolean(),
        fc.boolean(),
        (firstBound, secondBound, inclusiveMinimum, inclusiveMaximum) => {
          const bounds: Bounds = {
            minimum: Math.min(firstBound, secondBound),
            maximum: Math.max(firstBound, secondBound),
            inclusiveMinimum,
            inclusiveMaximum,
          }
          const counts = Array.from({ length: 30 }, (_, count) => count)
          const notTooMany = counts.filter((count) => !isOver(bounds, count))
          const notTooFew = counts.filter((count) =>
            inclusiveMinimum ? count >= bounds.minimum : count > bounds.minimum,
          )
          expect(getMaxCount(bounds)).toBe(Math.max(0, ...notTooMany))
          expect(getMinCount(bounds)).toBe(Math.min(...notTooFew))
          for (const count of counts)
            expect(isWithin(bounds, count)).toBe(notTooMany.includes(count) && notTooFew.includes(count))
        },
      ),
      { numRuns: 300 },
    ),
  ).not.toThrow()
  expect([getMaxCount(makeBounds(0, Infinity)), getMinCount(makeBounds(-Infinity, 3))]).toEqual([Infinity, 0])
})

test('Speeds are converted between units without rounding errors', () => {
  for (let miles = 1; miles < 100; miles++)
    expect(
      isWithin(
        makeBounds(0, roundToNineDecimals(miles * (1609.344 / 3600))),
        roundToNineDecimals((miles * 1609.344) / 3600),
      ),
    ).toBe(true)
  expect(roundToNineDecimals(NaN)).toBeNaN()
})
