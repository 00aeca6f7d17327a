import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { hourMs } from '#contract/period.ts'
import {
  computeBattery,
  computeMetersSquared,
  planMove,
  parkingRules,
  getReturnTime,
  getWorkshopTime,
} from './parking-times.ts'

const midnight = Date.UTC(2026, 5, 10, 4)
const endpoint = (time: number, number = 21_000_000_000) => ({ number, time, lon: -75.2, lat: 37.05 })

describe('moveTimes', () => {
  it('moves a vehicle between 1:00 and 5:30 before its trip if there is time', () => {
    fc.assert(
      fc.property(fc.nat(1e11), (number) => {
        const { pickUp, dropOff } = planMove(
          midnight - 5 * hourMs,
          endpoint(midnight + 9 * hourMs, number),
          midnight,
        )!
        expect(pickUp).toBeGreaterThanOrEqual(midnight + hourMs)
        expect(pickUp).toBeLessThan(midnight + 3.1 * hourMs)
        expect(dropOff - pickUp).toBeGreaterThanOrEqual(parkingRules.movingMs)
        expect(dropOff).toBeLessThan(midnight + 5.5 * hourMs)
      }),
    )
  })

  it('moves a vehicle between its trips, in whole milliseconds, and never on the day before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -40, max: 8 * 60 }),
        fc.integer({ min: 1, max: 600 }),
        fc.nat(1e11),
        (minute, minutes, number) => {
          const from = midnight + minute * 60_000 + 1
          const start = Math.max(from, midnight) + minutes * 60_000
          const { pickUp, dropOff } = planMove(from, endpoint(start, number), midnight)!
          expect([pickUp, dropOff].every(Number.isInteger)).toBe(true)
          expect(pickUp).toBeGreaterThan(Math.max(from, midnight))
          expect(dropOff).toBeGreaterThan(pickUp)
          expect(dropOff).toBeLessThan(start)
        },
      ),
    )
  })

  it('returns null without time for a move; a vehicle still returns from the workshop', () => {
    expect(planMove(midnight - hourMs, endpoint(midnight), midnight)).toBeNull()
    expect(getReturnTime(midnight - hourMs, endpoint(midnight), midnight)).toBe(midnight - 1000)
    expect(getReturnTime(midnight - hourMs, endpoint(midnight + 9 * hourMs), midnight)).toBe(
      planMove(midnight - hourMs, endpoint(midnight + 9 * hourMs), midnight)!.dropOff,
    )
  })

  it('schedules the workshop two to four hours after the last trip', () => {
    const times = [0, 1, 7206].map((number) => getWorkshopTime(endpoint(midnight, number)) - midnight)
    expect(times).toEqual([2 * hourMs, 2 * hourMs + 1000, 2 * hourMs + 7_206_000])
  })
})

test('computeMetersSquared measures in meters', () => {
  expect(
    Math.sqrt(computeMetersSquared({ ...endpoint(0), lon: -75.2 }, { ...endpoint(0), lon: -75.19 }, 88_000)),
  ).toBeCloseTo(880, 6)
  expect(Math.sqrt(computeMetersSquared(endpoint(0), { ...endpoint(0), lat: 37.06 }, 88_000))).toBeCloseTo(
    1111.95,
    6,
  )
})

test('computeBattery decreases from trip to trip to a minimum, and is NaN without a battery', () => {
  const number = (sequence: number): number => (20_600 * 8192 + 17) * 128 + sequence
  const levels = Array.from({ length: 16 }, (_, sequence) =>
    computeBattery(number(sequence), 'scooter_standing', false),
  )
  expect(levels).toEqual(levels.toSorted((a, b) => b - a))
  expect(levels[0]! - levels[3]!).toBe(21)
  expect(levels.at(-1)).toBe(5)
  expect(computeBattery(number(2), 'bicycle', true)).toBe(levels[3])
  expect(computeBattery(number(2), 'pedal_bicycle', true)).toBeNaN()
})
