import { hourMs } from '#contract/period.ts'
import { createRandom, hashNumbers, salts } from '../hash-numbers.ts'

const weekMs = 7 * 24 * hourMs

/** A period without data from a sensor. */
export interface Outage {
  fromMs: number
  untilMs: number
}

/** Share of sensor weeks with an outage, and of outages that are long. */
const shares = { outage: 0.35, long: 0.3 }

/** Draws a sensor's outage in a week, if any: long ones last 20 to 72 hours, others 0.4 to 4.4 hours. */
function drawOutage(seed: number, device: number, week: number): Outage | null {
  const random = createRandom(hashNumbers(seed + salts.sensorOutage, device, week))
  if (random() >= shares.outage) return null
  const fromMs = week * weekMs + Math.floor(random() * 3.5 * 24 * hourMs)
  const hours = random() < shares.long ? 20 + 52 * random() : 0.4 + 4 * random()
  return { fromMs, untilMs: fromMs + Math.floor(hours * hourMs) }
}

/** Lists the outages of a sensor that overlap a half-open time range, in order. */
export function listOutages(seed: number, device: number, fromMs: number, untilMs: number): Outage[] {
  const outages: Outage[] = []
  for (let week = Math.floor(fromMs / weekMs) - 1; week * weekMs < untilMs; week++) {
    const outage = drawOutage(seed, device, week)
    if (outage && outage.untilMs > fromMs && outage.fromMs < untilMs) outages.push(outage)
  }
  return outages
}

/** Error of a fast sensor clock. */
export const clockAheadMs = 7 * 60_000
/** Returns whether the clock of a sensor is fast: one in 90. */
export const hasFastClock = (seed: number, device: number): boolean =>
  hashNumbers(seed + salts.sensorClock, device, 0) % 90 === 7

/** Returns whether a sensor misses the start (0.2%) or end (0.4%) of a stay. */
export const isMissed = (seed: number, key: number, isStart: boolean): boolean =>
  hashNumbers(seed + salts.missedStay, key, isStart ? 1 : 0) % 1000 < (isStart ? 2 : 4)
