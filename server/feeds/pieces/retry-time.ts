const minute = 60_000
const hour = 60 * minute

/** Ms to wait after the `tries`-th failure: from a minute, doubling, to `longest` (an hour); a fifth more or less, so that not all come at once. Never less than the server asks for. */
export function retryWait(
  tries: number,
  retryAfter: number | null = null,
  random: () => number = Math.random,
  longest = hour,
): number {
  const doubled = Math.min(longest, minute * 2 ** Math.min(20, Math.max(0, tries - 1)))
  const wait = Math.min(longest, Math.max(minute, doubled * (0.8 + 0.4 * random())))
  return Math.max(wait, retryAfter ?? 0)
}

/** What changes all the time is not left alone for so long. */
export const longestOfStanding = 10 * minute
/** Nor what will be ready soon. */
export const longestOfWaiting = 15 * minute
