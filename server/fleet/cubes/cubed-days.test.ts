import { describe, expect, it } from 'vitest'
import { splitDays } from './cubed-days.ts'

const makeSpan = (from: number, until: number) => ({ from, until })
const split = (end: number, dirtyDays: number[]) => splitDays(makeSpan(10, 20), end, dirtyDays)

describe('splitDays', () => {
  it('reads all days from cubes if they have ended and none is dirty', () => {
    expect(split(20, [])).toEqual({ cubeSpans: [makeSpan(10, 20)], factSpans: [] })
    expect(split(99, [5, 20, 31])).toEqual({ cubeSpans: [makeSpan(10, 20)], factSpans: [] })
  })
  it('reads days from facts from the first that has not ended', () =>
    expect(split(17, [])).toEqual({ cubeSpans: [makeSpan(10, 17)], factSpans: [makeSpan(17, 20)] }))
  it('reads dirty days from facts, consecutive ones as one span', () => {
    expect(split(18, [10, 13, 14, 17])).toEqual({
      cubeSpans: [makeSpan(11, 13), makeSpan(15, 17)],
      factSpans: [makeSpan(10, 11), makeSpan(13, 15), makeSpan(17, 20)],
    })
  })
  it('returns null if facts would take many queries, or if cubes cover no day', () => {
    expect(split(20, [10, 12, 14, 16])).not.toBeNull()
    expect(split(20, [10, 12, 14, 16, 18])).toBeNull()
    expect(split(10, [])).toBeNull()
    expect(split(5, [])).toBeNull()
    expect(split(12, [10, 11])).toBeNull()
  })
})
