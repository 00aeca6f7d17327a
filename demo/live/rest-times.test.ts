import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batteryOf, metresSquared, moveTimes, restRules, returnTime, workshopTime } from './rest-times.ts'

const hour = 3_600_000
const midnight = Date.UTC(2026, 5, 10, 4)
const at = (time: number, number = 21_000_000_000) => ({ number, time, lon: -75.2, lat: 37.05 })

describe('a vehicle that is moved', () => {
  it('is moved between one and half past five of the night before its trip, where there is time for it', () => {
    fc.assert(
      fc.property(fc.nat(1e11), (number) => {
        const { pickUp, dropOff } = moveTimes(midnight - 5 * hour, at(midnight + 9 * hour, number), midnight)!
        expect(pickUp).toBeGreaterThanOrEqual(midnight + hour)
        expect(pickUp).toBeLessThan(midnight + 3.1 * hour)
        expect(dropOff - pickUp).toBeGreaterThanOrEqual(restRules.movingMs)
        expect(dropOff).toBeLessThan(midnight + 5.5 * hour)
      }),
    )
  })

  it('is moved after its last trip and before its next one, in whole milliseconds, and never on the day before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -40, max: 8 * 60 }),
        fc.integer({ min: 1, max: 600 }),
        fc.nat(1e11),
        (minute, minutes, number) => {
          const from = midnight + minute * 60_000 + 1
          const start = Math.max(from, midnight) + minutes * 60_000
          const { pickUp, dropOff } = moveTimes(from, at(start, number), midnight)!
          expect([pickUp, dropOff].every(Number.isInteger)).toBe(true)
          expect(pickUp).toBeGreaterThan(Math.max(from, midnight))
          expect(dropOff).toBeGreaterThan(pickUp)
          expect(dropOff).toBeLessThan(start)
        },
      ),
    )
  })

  it('cannot be moved in no time; from the workshop it comes all the same', () => {
    expect(moveTimes(midnight - hour, at(midnight), midnight)).toBeNull()
    expect(returnTime(midnight - hour, at(midnight), midnight)).toBe(midnight - 1000)
    expect(returnTime(midnight - hour, at(midnight + 9 * hour), midnight)).toBe(
      moveTimes(midnight - hour, at(midnight + 9 * hour), midnight)!.dropOff,
    )
  })

  it('goes to the workshop two to four hours after its last trip', () => {
    const times = [0, 1, 7206].map((number) => workshopTime(at(midnight, number)) - midnight)
    expect(times).toEqual([2 * hour, 2 * hour + 1000, 2 * hour + 7_206_000])
  })
})

it('metres are those of the ground', () => {
  expect(Math.sqrt(metresSquared({ ...at(0), lon: -75.2 }, { ...at(0), lon: -75.19 }, 88_000))).toBeCloseTo(
    880,
    6,
  )
  expect(Math.sqrt(metresSquared(at(0), { ...at(0), lat: 37.06 }, 88_000))).toBeCloseTo(1111.95, 6)
})

it('a battery falls from trip to trip, is never empty, and a bicycle without one has none', () => {
  const number = (made: number): number => (20_600 * 8192 + 17) * 128 + made
  const levels = Array.from({ length: 16 }, (_, made) => batteryOf(number(made), 'scooter_standing', false))
  expect(levels).toEqual(levels.toSorted((a, b) => b - a))
  expect(levels[0]! - levels[3]!).toBe(21)
  expect(levels.at(-1)).toBe(5)
  expect(batteryOf(number(2), 'bicycle', true)).toBe(levels[3])
  expect(batteryOf(number(2), 'pedal_bicycle', true)).toBeNaN()
})
