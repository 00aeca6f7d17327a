import { describe, expect, it } from 'vitest'
import { eventKinds } from '../live/event-kinds.ts'
import { noSlips, slipsOf } from './slips.ts'

const hour = 3_600_000
const slips = slipsOf(7)
const numbers = Array.from({ length: 60_000 }, (_, i) => 20_700 * 1_048_576 + i * 128)
const share = (slipped: (number: number) => boolean): number =>
  numbers.filter(slipped).length / numbers.length

describe('slips', () => {
  it('delay some hours by one to three', () => {
    const late = Array.from({ length: 3000 }, (_, i) => slips.lateMs(i * hour))
    expect(new Set(late)).toEqual(new Set([0, hour, 2 * hour, 3 * hour]))
    const some = late.filter((ms) => ms > 0).length / late.length
    expect(some).toBeGreaterThan(0.08)
    expect(some).toBeLessThan(0.18)
  })

  it('forget one trip end in 150, and nothing else', () => {
    expect(share((number) => slips.isMissing(eventKinds.tripEnd, number))).toBeCloseTo(1 / 150, 2)
    expect(share((number) => slips.isMissing(eventKinds.tripEnd, number))).toBeGreaterThan(0.004)
    expect(share((number) => slips.isMissing(eventKinds.tripStart, number))).toBe(0)
  })

  it('tell a few twice, a few three minutes ahead, and one in 2,000 against the schema', () => {
    const { tripStart } = eventKinds
    expect(share((number) => slips.isTwice(tripStart, number)) * 400).toBeCloseTo(1, 0)
    expect(share((number) => slips.aheadMs(tripStart, number) === 180_000) * 300).toBeCloseTo(1, 0)
    const broken = share((number) => slips.isBroken(tripStart, number)) * 2000
    expect(broken).toBeGreaterThan(0.4)
    expect(broken).toBeLessThan(1.8)
  })

  it('are the same every time, and others with another seed', () => {
    const missing = (of: typeof slips) => numbers.filter((number) => of.isMissing(eventKinds.tripEnd, number))
    expect(missing(slipsOf(7))).toEqual(missing(slips))
    expect(missing(slipsOf(8))).not.toEqual(missing(slips))
    expect(missing(noSlips)).toEqual([])
  })
})
