import { bind, type Sql, sql } from '#server/stores/sql.ts'
import type { FleetQuestion } from '../fleet-question.ts'
import { operatingPeriods } from '../operating-periods.ts'
import { deployedSpans, groupColumns, groupByClause } from './deployed-spans.ts'

/** `daytime_avg`: as `avg`, over the operating hours alone. */
export const daytimeFleet = (question: FleetQuestion): Sql => {
  const times = operatingPeriods(question)
  const total = times.reduce((sum, [from, until]) => sum + until - from, 0)
  return sql`
  select ${groupColumns(question)}sum(arraySum(arrayMap((open, shut) -> greatest(0, least(shut, toUnixTimestamp64Milli(ends)) - greatest(open, toUnixTimestamp64Milli(begins))), ${bind(
    'Array(Int64)',
    times.map(([from]) => from),
  )}, ${bind(
    'Array(Int64)',
    times.map(([, until]) => until),
  )}))) / ${bind('Float64', Math.max(1, total))} as value
  from (${deployedSpans(question)})
  ${groupByClause(question)}`
}
