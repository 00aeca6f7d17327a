import { describe, expect, it } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { createEventKinds } from '../live/event-kinds.ts'
import { noFaults, createFeedFaults } from './feed-faults.ts'

const faults = createFeedFaults(7)
const numbers = Array.from({ length: 60_000 }, (_, i) => 20_700 * 1_048_576 + i * 128)
const share = (isFaulty: (number: number) => boolean): number =>
  numbers.filter(isFaulty).length / numbers.length

describe('feedFaults', () => {
  it('delay some hours by one to three', () => {
    const late = Array.from({ length: 3000 }, (_, i) => faults.lateMs(i * hourMs))
    expect(new Set(late)).toEqual(new Set([0, hourMs, 2 * hourMs, 3 * hourMs]))
    const lateShare = late.filter((ms) => ms > 0).length / late.length
    expect(lateShare).toBeGreaterThan(0.08)
    expect(lateShare).toBeLessThan(0.18)
  })

  it('miss one trip end in 150, and no other events', () => {
    expect(share((number) => faults.isMissing(createEventKinds.tripEnd, number))).toBeCloseTo(1 / 150, 2)
    expect(share((number) => faults.isMissing(createEventKinds.tripEnd, number))).toBeGreaterThan(0.004)
    expect(share((number) => faults.isMissing(createEventKinds.tripStart, number))).toBe(0)
  })

  it('include duplicates, clocks three minutes ahead, and one schema violation in 2,000', () => {
    const { tripStart } = createEventKinds
    expect(share((number) => faults.isDuplicate(tripStart, number)) * 400).toBeCloseTo(1, 0)
    expect(share((number) => faults.aheadMs(tripStart, number) === 180_000) * 300).toBeCloseTo(1, 0)
    const broken = share((number) => faults.isInvalid(tripStart, number)) * 2000
    expect(broken).toBeGreaterThan(0.4)
    expect(broken).toBeLessThan(1.8)
  })

  it('faults are deterministic and differ between seeds', () => {
    const listMissingHours = (testedFaults: typeof faults) =>
      numbers.filter((number) => testedFaults.isMissing(createEventKinds.tripEnd, number))
    expect(listMissingHours(createFeedFaults(7))).toEqual(listMissingHours(faults))
    expect(listMissingHours(createFeedFaults(8))).not.toEqual(listMissingHours(faults))
    expect(listMissingHours(noFaults)).toEqual([])
  })
})
