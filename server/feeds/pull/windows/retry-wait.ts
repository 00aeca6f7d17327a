const minute = 60_000
const hour = 60 * minute

/**
 * Ms to wait after the `tries`-th failure: doubles from a minute up to `maxMs` (an hour), plus or minus a fifth to spread the load.
 * Never less than the server asks for.
 */
export function retryWait(
  tries: number,
  retryAfter: number | null = null,
  random: () => number = Math.random,
  maxMs = hour,
): number {
  const doubled = Math.min(maxMs, minute * 2 ** Math.min(20, Math.max(0, tries - 1)))
  const wait = Math.min(maxMs, Math.max(minute, doubled * (0.8 + 0.4 * random())))
  return Math.max(wait, retryAfter ?? 0)
}
