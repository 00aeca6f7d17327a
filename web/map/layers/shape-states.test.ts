import { expect, it } from 'vitest'
import { shapeStates } from './shape-states.ts'
import type { ShapeBin } from './shape-values.ts'

it('has one state object per class', () => {
  const states = shapeStates(
    new Map<string, ShapeBin>([
      ['a', 3],
      ['b', 'zero'],
      ['c', 'none'],
      ['d', 3],
    ]),
  )
  expect([...states]).toEqual([
    ['a', { bin: 3 }],
    ['b', { bin: -1 }],
    ['c', { bin: -2 }],
    ['d', { bin: 3 }],
  ])
  expect(states.get('a')).toBe(shapeStates(new Map([['e', 3]])).get('e'))
})
