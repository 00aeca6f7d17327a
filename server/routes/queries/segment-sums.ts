import { isFullDay } from '#contract/period.ts'
import type { Filters } from '#server/fleet/trip-filter-sql.ts'
import { tripFilterCondition } from '#server/fleet/trip-filter-sql.ts'
import { facts, type Sql, sql } from '#server/stores/sql.ts'

/**
 * The trips along a segment in each direction. The id is a string because it may exceed the precision of a
 * double.
 */
export interface SegmentSum {
  segment: string
  forward: string
  backward: string
}

/** Returns trips by street segment. The larger table by hour is read only if the filters exclude hours. */
export const segmentSums = (filters: Filters): Sql => sql`
  select
    toString(segment) as segment,
    sum(forward) as forward,
    sum(backward) as backward
  from (
    select segment, forward, backward
    from ${facts(isFullDay(filters.hour_filters) ? 'segment_days' : 'segment_hours')}
    where ${tripFilterCondition(filters)}
  )
  group by segment
  having forward > 0 or backward > 0`
