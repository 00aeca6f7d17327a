const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** Delays between attempts, ms (Standard Webhooks 1.0.0, section "Deliverability and reliability"). */
export const retryDelaysMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const

/** Delays are extended by up to this fraction, so that messages after an outage are not all sent at once. */
export const maxJitter = 0.2

/** Returns the time of the attempt after `attempts` failed ones; null if there is none. */
export function getNextAttempt(attempts: number, at: Date, random: () => number = Math.random): Date | null {
  const delayMs = retryDelaysMs[attempts - 1]
  if (delayMs === undefined) return null
  return new Date(at.getTime() + Math.round(delayMs * (1 + maxJitter * random())))
}
