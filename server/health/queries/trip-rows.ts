import { bind, type Sql, sql } from '#server/stores/sql.ts'
import type { Span } from '../span.ts'
import { rowColumns, tripColumns } from './row-columns.ts'
import { feedTripsSql } from './trip-counts.ts'
import { differingTripsSql, endsWithoutStartSql } from './trip-events.ts'

/** Selects trips that lack events or reports, for operators that send both. */
export function orphanTripRows(
  span: Span,
  at: number,
  operatorsWithEvents: readonly string[],
  operatorsWithReports: readonly string[],
): Sql {
  const trips = feedTripsSql(span, at)
  const endColumns = rowColumns({
    time: sql`time`,
    id: sql`trip_id`,
    device: sql`device`,
    trip: sql`trip_id`,
    part: 'ends_without_start',
  })
  return sql`
    select ${tripColumns('without_events')}
    from (${trips})
    where lacks_events and operator in ${bind('Array(String)', operatorsWithEvents)}
    union all
    select ${tripColumns('without_report')}
    from (${trips})
    where lacks_report and operator in ${bind('Array(String)', operatorsWithReports)}
    union all
    select ${tripColumns('without_end')}
    from (${trips})
    where lacks_end
    union all
    select ${endColumns}
    from (${endsWithoutStartSql(span)})`
}

/** Selects trips with different reports and events. A trip that differs in time and place is listed twice. */
export const agreementRows = (span: Span): Sql => sql`
  select ${tripColumns('time_differs')}
  from (${differingTripsSql(span)})
  where time_differs
  union all
  select ${tripColumns('place_differs')}
  from (${differingTripsSql(span)})
  where place_differs`
