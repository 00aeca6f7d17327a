import { isFullDay } from '#contract/period.ts'
import type { Filters } from '#server/fleet/trip-filter-sql.ts'
import { tripFilterSql } from '#server/fleet/trip-filter-sql.ts'
import { facts, type Sql, sql } from '#server/stores/sql.ts'

/** One segment's trips in each direction; the id as text, as it may be longer than a double holds. */
export interface SegmentSum {
  segment: string
  forward: string
  backward: string
}

/** Trips by street segment. Hours are read only where some are left out. */
export const segmentSums = (filters: Filters): Sql => sql`
  select toString(segment) as segment, sum(forward) as forward, sum(backward) as backward
  from (select segment, forward, backward from ${facts(isFullDay(filters.hour_filters) ? 'segment_days' : 'segment_hours')} where ${tripFilterSql(filters)})
  group by segment
  having forward > 0 or backward > 0`
