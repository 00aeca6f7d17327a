import type { Issue } from '#contract/issues.ts'

/** How many issues were reported on each day of an axis, in the region's zone. */
export function issuesOfDays(
  days: readonly string[],
  issues: readonly Pick<Issue, 'requested_time'>[],
  zone: string,
): number[] {
  // One format for thousands of moments: making one costs more than using it.
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const counts = new Map<string, number>()
  for (const { requested_time } of issues) {
    const day = format.format(Date.parse(requested_time))
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return days.map((day) => counts.get(day) ?? 0)
}
