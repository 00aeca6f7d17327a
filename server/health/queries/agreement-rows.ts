import type { Span } from '../span.ts'
import { type Sql, sql } from '#server/stores/sql.ts'
import { rowColumns } from './row-columns.ts'
import { differingTrips } from './trip-events.ts'

/** Trips with different data in report and events; one that differs in time and place is listed twice. */
export const agreementRows = (span: Span): Sql => {
  const columns = (part: string): Sql =>
    rowColumns({ time: sql`time`, id: sql`trip_id`, device: sql`vehicle_id`, trip: sql`trip_id`, part })
  return sql`
    select ${columns('time_differs')} from (${differingTrips(span)}) where time_differs
    union all
    select ${columns('place_differs')} from (${differingTrips(span)}) where place_differs`
}
