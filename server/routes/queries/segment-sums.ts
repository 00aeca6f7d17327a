import { isFullDay } from '#contract/period.ts'
import { type Filters, tripFilterCondition } from '#server/fleet/trip-filter-sql.ts'
import { facts, type Sql, sql } from '#server/stores/sql.ts'

/** The trips along a segment in each direction. The id is text because doubles lose digits of large numbers. */
export interface SegmentSum {
  segment: string
  forward: string
  backward: string
}

/** Builds SQL for trips by street segment. The larger table by hour is read only if the filters exclude hours. */
export const segmentSumsSql = (filters: Filters): Sql => sql`
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
