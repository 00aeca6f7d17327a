import type { IssueFigures } from '#contract/issues.ts'

export interface CountedIssue {
  status: string
  resolution_hours: number | null
}

/** How many issues, how many of them are open, and the hours to their closing where these are known. The median of an even number is the middle of the two in the middle. */
export function figuresOfIssues(issues: readonly CountedIssue[]): IssueFigures {
  const open = issues.filter(({ status }) => status === 'open').length
  const hours = issues
    .flatMap(({ status, resolution_hours: each }) => (status === 'closed' && each !== null ? [each] : []))
    .toSorted((a, b) => a - b)
  const middle = hours.length / 2
  const median = hours.length
    ? ((hours[Math.ceil(middle) - 1] ?? 0) + (hours[Math.floor(middle)] ?? 0)) / 2
    : null
  return {
    count: issues.length,
    open,
    closed: issues.length - open,
    resolved: hours.length,
    median_hours: median,
    mean_hours: hours.length ? hours.reduce((sum, each) => sum + each, 0) / hours.length : null,
  }
}
