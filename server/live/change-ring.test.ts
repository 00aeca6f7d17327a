import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChangeRing } from './change-ring.ts'

test('ChangeRing returns each vehicle that changed after a number once, or null if changes were overwritten', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: -5, max: 70 }),
      (changes, size, back) => {
        const first = 5000
        const ring = new ChangeRing(first, size)
        for (const handle of changes) ring.add(handle)
        expect(ring.last).toBe(first + changes.length)
        const after = first + back
        const isKnown = back >= 0 && back <= changes.length && changes.length - back <= size
        expect(ring.getSince(after)).toEqual(isKnown ? new Set(changes.slice(back)) : null)
      },
    ),
  )
})
