import { bind, identifier, joinSql, type Sql, sql } from '#server/stores/sql.ts'
import type { FleetQuestion } from '../fleet-question.ts'
import { deployedSpans, groupColumns, groupByClause } from './deployed-spans.ts'

/** The first full minute that is not before a moment, in minutes since 1970. */
const minuteFrom = (moment: Sql): Sql => sql`intDiv(toUnixTimestamp64Milli(${moment}) + 59999, 60000)`

/** `max`: the largest number deployed at any full minute of the requested time. An event counts from its minute on. */
export const largestFleet = (question: FleetQuestion): Sql => {
  const partition = question.by.length
    ? sql`partition by ${joinSql(
        question.by.map((name) => identifier(name)),
        ', ',
      )}`
    : sql``
  const last = bind('Int64', String(Math.ceil(question.until / 60_000)))
  return sql`
  select ${groupColumns(question)}max(standing) as value
  from (
    select ${groupColumns(question)}minute, sum(sum(change)) over (${partition} order by minute rows between unbounded preceding and current row) as standing
    from (
      select ${groupColumns(question)}arrayJoin([(${minuteFrom(sql`begins`)}, toInt64(1)), (${minuteFrom(sql`ends`)}, toInt64(-1))]) as step, step.1 as minute, step.2 as change
      from (${deployedSpans(question)})
    )
    where minute < ${last}
    ${groupByClause(question, [sql`minute`])}
  )
  ${groupByClause(question)}`
}
