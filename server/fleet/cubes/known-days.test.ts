import { describe, expect, it } from 'vitest'
import { splitDays } from './known-days.ts'

const span = (from: number, until: number) => ({ from, until })
const split = (end: number, waiting: number[]) => splitDays(span(10, 20), end, waiting)

describe('the days of a time', () => {
  it('are all known if they are over and none is dirty', () => {
    expect(split(20, [])).toEqual({ cubed: [span(10, 20)], facts: [] })
    expect(split(99, [5, 20, 31])).toEqual({ cubed: [span(10, 20)], facts: [] })
  })
  it('are facts from the first on that is not over', () =>
    expect(split(17, [])).toEqual({ cubed: [span(10, 17)], facts: [span(17, 20)] }))
  it('are read from facts if dirty, consecutive ones together', () => {
    expect(split(18, [10, 13, 14, 17])).toEqual({
      cubed: [span(11, 13), span(15, 17)],
      facts: [span(10, 11), span(13, 15), span(17, 20)],
    })
  })
  it('are left to the facts where that would be many questions, or where nothing is known', () => {
    expect(split(20, [10, 12, 14, 16])).not.toBeNull()
    expect(split(20, [10, 12, 14, 16, 18])).toBeNull()
    expect(split(10, [])).toBeNull()
    expect(split(5, [])).toBeNull()
    expect(split(12, [10, 11])).toBeNull()
  })
})
