import { instant } from '#server/stores/instant.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import type { FleetQuestion } from '../fleet-question.ts'
import { deployedSpans, groupColumns, groupByClause } from './deployed-spans.ts'

/** Average fleet by local hour, `hour_start` in ms; of a partial hour over its part of the requested time. */
export const fleetByHour = (question: FleetQuestion): Sql => {
  const zone = bind('String', question.timezone)
  const [from, until] = [instant(question.from), instant(question.until)]
  const hourOf = (moment: Sql): Sql => sql`toStartOfHour(toDateTime(${moment}, ${zone}))`
  return sql`
  select ${groupColumns(question)}toUnixTimestamp(hour) * 1000 as hour_start,
    sum(dateDiff('millisecond', greatest(begins, hour_begins), least(ends, hour_ends))) / dateDiff('millisecond', greatest(any(hour_begins), ${from}), least(any(hour_ends), ${until})) as value
  from (
    select ${groupColumns(question)}begins, ends, arrayJoin(arrayMap(step -> ${hourOf(sql`begins`)} + toIntervalHour(step), range(toUInt32(dateDiff('hour', ${hourOf(sql`begins`)}, toDateTime(ends, ${zone}))) + 1))) as hour,
      toDateTime64(hour, 3, 'UTC') as hour_begins, hour_begins + interval 1 hour as hour_ends
    from (${deployedSpans(question)})
    where ends > begins
  )
  where hour_begins < ends and hour_ends > begins
  ${groupByClause(question, [sql`hour`])}`
}

/** `sae_max`: the largest of the hourly averages. */
export const largestHour = (question: FleetQuestion): Sql => sql`
  select ${groupColumns(question)}max(value) as value
  from (${fleetByHour(question)})
  ${groupByClause(question)}`
