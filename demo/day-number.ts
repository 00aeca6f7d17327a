import { dayMs } from '#contract/period.ts'

/** Returns the days since 1970-01-01 of a date YYYY-MM-DD. */
export function dayNumber(date: string): number {
  const ms = Date.parse(`${date}T00:00:00Z`)
  // Date.parse reads February 30 as March 2.
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== date)
    throw new RangeError(`not a date YYYY-MM-DD: ${date}`)
  return ms / dayMs
}
