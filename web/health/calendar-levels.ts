import type { HealthDay } from '#contract/health.ts'

/** How dark an hour is drawn, 1 to 4, by its share of the most that any hour of these days has; 0 where it has none. */
export function calendarLevels(days: readonly HealthDay[]): number[][] {
  const top = Math.max(0, ...days.flatMap(({ hours }) => hours))
  return days.map(({ hours }) =>
    hours.map((count) =>
      count === 0 || top === 0 ? 0 : Math.min(4, Math.max(1, Math.ceil((4 * count) / top))),
    ),
  )
}
