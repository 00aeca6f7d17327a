import { expect, it } from 'vitest'
import { createSparkPath } from './sparkline.tsx'

it('scales from the lowest to the highest value', () =>
  expect(createSparkPath([0, 10])).toBe('M0.5 0.900L1.5 0.100'))
it('breaks where a value is unknown, and draws a value between gaps as a dot', () =>
  expect(createSparkPath([0, 10, null, 5])).toBe('M0.5 0.900L1.5 0.100M3.5 0.500L3.5 0.500'))
it('is in the middle where all values are equal', () =>
  expect(createSparkPath([3, 3])).toBe('M0.5 0.500L1.5 0.500'))
it('is empty without values', () => expect([createSparkPath([null]), createSparkPath([])]).toEqual(['', '']))
