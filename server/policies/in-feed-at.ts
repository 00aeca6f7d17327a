import type { PolicyRow } from './policy-row.ts'

/** Revisions that are in the feed and hold, or will, at an instant: one that is superseded holds until the other begins. */
export const inFeedAt = (revisions: readonly PolicyRow[], time: number): PolicyRow[] =>
  revisions.filter(
    (row) =>
      row.published_time !== null &&
      row.unpublished_time === null &&
      (row.superseded_time === null || row.superseded_time.getTime() > time),
  )
