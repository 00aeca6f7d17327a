import { dayMs } from '#contract/period.ts'
import { getCalendarDay, computeOccupancy, getRate } from './curb-demand.ts'
import type { CurbPlace } from './curb-place.ts'

/** Time bands with separate rates, in minutes of the local day, Monday to Friday and Saturday. */
export const rateBands = [
  { key: 'morning', from: 480, until: 720 },
  { key: 'midday', from: 720, until: 900 },
  { key: 'afternoon', from: 900, until: 1200 },
] as const

/** Approximate number of days before the first run at which the approved change took effect. */
const changedDaysAgo = 270
/** Length of the window in which a price change is prepared, in days. */
export const windowDays = 70
/** Days from the end of the window to the change. */
export const windowEndsBefore = 30
/** The rate change by occupancy, in minor units. */
export const rateSteps = { target: { from: 0.6, until: 0.8 }, change: 25 }
/** Price elasticity of demand. */
const elasticity = -0.4

/** Finds the first Monday from a day on. Day 0 was a Thursday, so Mondays have a remainder of 4. */
export const findNextMonday = (day: number): number => day + ((11 - (day % 7)) % 7)

/** Returns the Monday on which rates changed, in days since 1970-01-01. */
export const getChangeDay = (firstRunDay: number): number => findNextMonday(firstRunDay - changedDaysAgo)

/** Computes the mean share of occupied spaces in a band during the analysis window. */
function computeMeanOccupancy(
  place: CurbPlace,
  seed: number,
  { from, until, change, isSaturday }: { from: number; until: number; change: number; isSaturday: boolean },
): number {
  let [sum, count] = [0, 0]
  const last = change - windowEndsBefore
  for (let day = last - windowDays; day <= last; day++) {
    const { weekday, isPaid } = getCalendarDay(day)
    if (!isPaid || (weekday === 6) !== isSaturday) continue
    const shares = computeOccupancy(place, seed, day)
    for (let half = from / 30; half < until / 30; half++) {
      sum += shares[half] ?? 0
      count++
    }
  }
  return count ? sum / count : 0
}

/**
 * Adds the response of demand to the rate change nine months before the first run. The history is generated before the
 * change is proposed, so the changed rates are derived from the expected occupancy with the pricing rule.
 */
export function withResponses(places: readonly CurbPlace[], seed: number, firstRunDay: number): CurbPlace[] {
  const from = getChangeDay(firstRunDay)
  const { target, change } = rateSteps
  return places.map((place) => {
    if (place.use !== 'meter' || !place.hasSensor || place.until !== null) return place
    const factors = (isSaturday: boolean): number[] => {
      const byHalfHour = Array.from({ length: 48 }, () => 1)
      for (const band of rateBands) {
        const [begin, end] = [Math.max(band.from, place.opens), Math.min(band.until, place.closes)]
        const weekday = isSaturday ? 6 : 3
        const dayBefore = { timeMs: (from - 1) * dayMs, weekday, minute: begin }
        const rate = begin < end ? getRate(place, dayBefore) : 0
        if (!rate) continue
        const share = computeMeanOccupancy(place, seed, { from: begin, until: end, change: from, isSaturday })
        const step = share >= target.until ? change : share < target.from ? -change : 0
        const factor = ((rate + step) / rate) ** elasticity
        for (let half = begin / 30; half < end / 30; half++) byHalfHour[Math.floor(half)] = factor
      }
      return byHalfHour
    }
    return { ...place, response: { from, weekday: factors(false), saturday: factors(true) } }
  })
}
