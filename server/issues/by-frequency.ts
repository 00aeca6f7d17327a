import type { IssueType } from '#contract/issues.ts'

/** Sorts types by frequency, most frequent first, then by name. */
export const compareFrequency = (a: IssueType, b: IssueType): number =>
  b.open + b.closed - a.open - a.closed || a.service_name.localeCompare(b.service_name)
