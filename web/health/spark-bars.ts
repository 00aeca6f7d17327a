import type { HealthDay } from '#contract/health.ts'

export interface SparkBar {
  day: string
  count: number
  usual: number | null
  /** Share of the highest bar or mark, 0 to 1. */
  height: number
  usualHeight: number | null
}

/** Days as bars beside marks of what is usual, on one scale. */
export function sparkBars(days: readonly HealthDay[]): SparkBar[] {
  const top = Math.max(0, ...days.flatMap(({ count, usual }) => [count, usual ?? 0]))
  const share = (value: number): number => (top > 0 ? value / top : 0)
  return days.map(({ day, count, usual }) => ({
    day,
    count,
    usual,
    height: share(count),
    usualHeight: usual === null ? null : share(usual),
  }))
}
