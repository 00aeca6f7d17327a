const [second, minute, hour] = [1000, 60_000, 3_600_000]

/** Delays between attempts, ms (Standard Webhooks 1.0.0, section "Deliverability and reliability"). */
export const retryDelaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** Delays are extended by up to this fraction, so that messages after an outage are not all sent at once. */
export const maxJitter = 0.2

/** Returns the time of the attempt after `attempts` failed ones; null if there is none. */
export function getNextAttempt(attempts: number, at: Date, random: () => number = Math.random): Date | null {
  const delay = retryDelaysMs[attempts - 1]
  return delay === undefined ? null : new Date(at.getTime() + Math.round(delay * (1 + maxJitter * random())))
}
