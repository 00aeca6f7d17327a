import { hourMs, minuteMs } from '#contract/period.ts'

/**
 * Returns the delay (ms) after the `tries`-th failure: it doubles from a minute up to `maxMs`, with a random
 * jitter of a fifth to spread the load. Never less than the server requests (`retryAfter`, ms).
 */
export function getRetryDelay(
  tries: number,
  retryAfter: number | null = null,
  random: () => number = Math.random,
  maxMs = hourMs,
): number {
  // The limit of 20 prevents an infinite power; `maxMs` is reached before.
  const doubledMs = Math.min(maxMs, minuteMs * 2 ** Math.min(20, Math.max(0, tries - 1)))
  const delayMs = Math.min(maxMs, Math.max(minuteMs, doubledMs * (0.8 + 0.4 * random())))
  return Math.max(delayMs, retryAfter ?? 0)
}
