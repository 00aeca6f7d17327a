import { bind, type Sql, sql } from '#server/stores/sql.ts'
import type { FleetQuestion } from '../fleet-question.ts'
import { deployedSpans, groupColumns, groupedBy } from './deployed-spans.ts'

/** `avg`: deployed vehicle-seconds of the asked time, by its seconds. */
export const averageFleet = (question: FleetQuestion): Sql => sql`
  select ${groupColumns(question)}sum(dateDiff('millisecond', begins, ends)) / ${bind('Float64', question.until - question.from)} as value
  from (${deployedSpans(question)})
  ${groupedBy(question)}`
