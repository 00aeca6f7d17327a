import { createRandom, hashNumbers } from '../hash-numbers.ts'

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs

/** A time in which a sensor is silent, ms. */
export interface Outage {
  from: number
  until: number
}

/** Of each sensor and week. */
const shares = { outage: 0.35, long: 0.3 }

/** When a sensor is silent in a week: at most once. */
function outageOf(seed: number, device: number, week: number): Outage | null {
  const random = createRandom(hashNumbers(seed + 95, device, week))
  if (random() >= shares.outage) return null
  const from = week * weekMs + Math.floor(random() * 3.5 * 24 * hourMs)
  const hours = random() < shares.long ? 20 + 52 * random() : 0.4 + 4 * random()
  return { from, until: from + Math.floor(hours * hourMs) }
}

/** Outages of a sensor that touch a time (ms, half-open), in order. */
export function outagesOf(seed: number, device: number, from: number, until: number): Outage[] {
  const found: Outage[] = []
  for (let week = Math.floor(from / weekMs) - 1; week * weekMs < until; week++) {
    const outage = outageOf(seed, device, week)
    if (outage && outage.until > from && outage.from < until) found.push(outage)
  }
  return found
}

/** One sensor has a clock that is ahead, ms. */
export const clockAheadMs = 7 * 60_000
export const hasFastClock = (seed: number, device: number): boolean =>
  hashNumbers(seed + 96, device, 0) % 90 === 7

/** Starts and ends that a sensor misses. */
export const isMissed = (seed: number, key: number, isStart: boolean): boolean =>
  hashNumbers(seed + 97, key, isStart ? 1 : 0) % 1000 < (isStart ? 2 : 4)
