import { createRandom, hashNumbers } from '../hash-numbers.ts'

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs

/** A period (ms) without data from a sensor. */
export interface Outage {
  from: number
  until: number
}

/** Share of sensor weeks with an outage, and of outages that are long. */
const shares = { outage: 0.35, long: 0.3 }

/** The outage of a sensor in a week, at most one. */
function outageOf(seed: number, device: number, week: number): Outage | null {
  const random = createRandom(hashNumbers(seed + 95, device, week))
  if (random() >= shares.outage) return null
  const from = week * weekMs + Math.floor(random() * 3.5 * 24 * hourMs)
  const hours = random() < shares.long ? 20 + 52 * random() : 0.4 + 4 * random()
  return { from, until: from + Math.floor(hours * hourMs) }
}

/** Outages of a sensor that overlap a time range (ms, half-open), in order. */
export function outagesOf(seed: number, device: number, from: number, until: number): Outage[] {
  const found: Outage[] = []
  for (let week = Math.floor(from / weekMs) - 1; week * weekMs < until; week++) {
    const outage = outageOf(seed, device, week)
    if (outage && outage.until > from && outage.from < until) found.push(outage)
  }
  return found
}

/** Error of a fast sensor clock. */
export const clockAheadMs = 7 * 60_000
export const hasFastClock = (seed: number, device: number): boolean =>
  hashNumbers(seed + 96, device, 0) % 90 === 7

/** Whether a sensor misses the start or end of a stay. */
export const isMissed = (seed: number, key: number, isStart: boolean): boolean =>
  hashNumbers(seed + 97, key, isStart ? 1 : 0) % 1000 < (isStart ? 2 : 4)
