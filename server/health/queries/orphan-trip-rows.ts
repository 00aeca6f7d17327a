import type { Span } from '../span.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import { rowColumns } from './row-columns.ts'
import { endsWithoutStart } from './trip-events.ts'
import { feedTrips } from './trip-counts.ts'

/** Trips with a missing part. Only operators that send events lack events, and only those that report trips lack reports. */
export function orphanTripRows(
  span: Span,
  at: number,
  withEvents: readonly string[],
  withReports: readonly string[],
): Sql {
  const trips = feedTrips(span, at)
  const columns = (part: string): Sql =>
    rowColumns({ time: sql`time`, id: sql`trip_id`, device: sql`vehicle_id`, trip: sql`trip_id`, part })
  return sql`
    select ${columns('without_events')} from (${trips}) where lacks_events and operator in ${bind('Array(String)', withEvents)}
    union all
    select ${columns('without_report')} from (${trips}) where lacks_report and operator in ${bind('Array(String)', withReports)}
    union all
    select ${columns('without_end')} from (${trips}) where lacks_end
    union all
    select ${rowColumns({ time: sql`time`, id: sql`trip_id`, device: sql`device`, trip: sql`trip_id`, part: 'ends_without_start' })} from (${endsWithoutStart(span)})`
}
