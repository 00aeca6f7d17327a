import { toDateTime } from '#server/stores/date-time.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { DerivationStep } from '../fleet-derivation.ts'
import { stepSpansSql } from './span-events.ts'

/** Builds SQL for rows that delete stored rows of a step's spans which this derivation did not write. */
export function deletionRows(
  table: 'vehicle_intervals' | 'parking_events',
  columns: readonly string[],
  step: DerivationStep,
): Sql {
  const version = bind('UInt64', step.version)
  const changedColumns: Readonly<Record<string, Sql>> = { is_deleted: sql`1`, version: sql`${version}` }
  return sql`
    select ${joinSql(
      columns.map((name) => changedColumns[name] ?? sql`row.${identifier(name)}`),
      ', ',
    )}
    from (
      select *
      from ${latest(table)}
      where
        region_id = ${bind('String', step.regionId)}
        and from_time >= ${toDateTime(step.since)}
        and version < ${version}
        and (operator, device_id) in (select operator, device_id from (${stepSpansSql(step)}))
    ) as row
    inner join (${stepSpansSql(step)}) as span
      on span.operator = row.operator and span.device_id = row.device_id
    where row.from_time >= span.span_start`
}
