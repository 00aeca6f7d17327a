const [second, minute, hour] = [1000, 60_000, 3_600_000]

/** Time from a failed attempt to the next one, ms (Standard Webhooks 1.0.0, section "Deliverability and reliability"). */
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

/** Delays are longer by up to this share, so that messages of an outage are not all sent at once. */
export const jitter = 0.2

/** When to repeat the nth attempt; null after the last. */
export function nextAttempt(attempts: number, at: Date, random: () => number = Math.random): Date | null {
  const delay = retryDelaysMs[attempts - 1]
  return delay === undefined ? null : new Date(at.getTime() + Math.round(delay * (1 + jitter * random())))
}
