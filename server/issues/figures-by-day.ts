import type { IssueMeasure, IssuesByShapeAndDay } from '#contract/issues.ts'
import { type CountedIssue, figuresOfIssues } from './figures-of-issues.ts'

interface PlacedIssue extends CountedIssue {
  /** 0 is the first day. */
  day: number
  /** Numbers of its shapes, from 1 on; 0 where it lies in none. */
  places: readonly number[]
}

const keys = { count: 'count', open: 'open', median: 'median_hours', mean: 'mean_hours' } as const

/** A measure of issues by day and shape. A day without issues has a number of none, but no time. */
export function figuresByDay(
  issues: readonly PlacedIssue[],
  days: number,
  shapes: number,
  measure: IssueMeasure,
): Pick<IssuesByShapeAndDay, 'values' | 'not_in_shape' | 'total'> {
  const valueOf = (of: readonly CountedIssue[]): number | null => figuresOfIssues(of)[keys[measure]]
  const none = valueOf([])
  const byDay: PlacedIssue[][] = Array.from({ length: days }, () => [])
  for (const issue of issues) byDay[issue.day]?.push(issue)
  const cells = byDay.map((of) => {
    const members = new Map<number, PlacedIssue[]>()
    for (const issue of of)
      for (const place of issue.places) {
        const there = members.get(place)
        if (there) there.push(issue)
        else members.set(place, [issue])
      }
    const row = Array<number | null>(shapes + 1).fill(none)
    for (const [place, each] of members) row[place] = valueOf(each)
    return row
  })
  return {
    values: cells.map((row) => row.slice(1)),
    not_in_shape: cells.map((row) => row[0] ?? null),
    total: byDay.map(valueOf),
  }
}
