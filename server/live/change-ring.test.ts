import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ChangeRing } from './change-ring.ts'

it('returns what changed after a number, each once, while it is in memory', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: -5, max: 70 }),
      (changes, size, back) => {
        const first = 5000
        const ring = new ChangeRing(first, size)
        for (const handle of changes) ring.add(handle)
        expect(ring.at).toBe(first + changes.length)
        const after = first + back
        const isKnown = back >= 0 && back <= changes.length && changes.length - back <= size
        expect(ring.since(after)).toEqual(isKnown ? new Set(changes.slice(back)) : null)
      },
    ),
  )
})
