import { type LocalDay, localDay } from '#contract/period.ts'

const hourMs = 3_600_000

/** The first moment of a local day of a zone, ms: midnight, or when the clock went on where it skipped midnight. */
export function startOfDay(day: LocalDay, zone: string): number {
  const noon = Date.parse(day) + 12 * hourMs
  let [before, from] = [noon - 30 * hourMs, noon + 30 * hourMs]
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (localDay(new Date(middle), zone) >= day) from = middle
    else before = middle
  }
  return from
}
