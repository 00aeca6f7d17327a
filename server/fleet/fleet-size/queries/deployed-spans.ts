import { deployedStates } from '#contract/vehicle-states.ts'
import { lostRule } from '#server/regions/lost-vehicles.ts'
import { instant } from '#server/stores/instant.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { FleetQuestion } from '../fleet-question.ts'

/** The columns of the groups, followed by a comma. */
export const groupColumns = ({ by }: Pick<FleetQuestion, 'by'>): Sql =>
  by.length
    ? sql`${joinSql(
        by.map((name) => identifier(name)),
        ', ',
      )}, `
    : sql``

/** The group clause, if there are groups; `more` comes first. */
export const groupByClause = ({ by }: Pick<FleetQuestion, 'by'>, more: readonly Sql[] = []): Sql => {
  const names = [...more, ...by.map((name) => identifier(name))]
  return names.length ? sql`group by ${joinSql(names, ', ')}` : sql``
}

/**
 * From when to when (`begins`, `ends`) each vehicle stood in the asked states, cut to the asked time. A vehicle leaves the count once it has
 * been silent for lostAfterHours: nothing that began earlier counts any more.
 */
export const deployedSpans = (question: FleetQuestion): Sql => {
  const { regionId, from, until, lostAfterHours, states = deployedStates, where } = question
  const rule = lostRule(lostAfterHours)
  return sql`
    select operator, vehicle_type, greatest(from_time, ${instant(from)}) as begins, least(to_time, ${rule.lostAt(sql`from_time`)}, ${instant(until)}) as ends
    from ${latest('vehicle_intervals')}
    where region_id = ${bind('String', regionId)} and state in ${bind('Array(String)', states)}
      and from_time < ${instant(until)} and ${rule.hasContact(sql`from_time`, instant(from))} and to_time > ${instant(from)}
      ${where ? sql`and (${where})` : sql``}`
}

/** `avg`: deployed vehicle-seconds of the requested time, divided by its seconds. */
export const averageFleet = (question: FleetQuestion): Sql => sql`
  select ${groupColumns(question)}sum(dateDiff('millisecond', begins, ends)) / ${bind('Float64', question.until - question.from)} as value
  from (${deployedSpans(question)})
  ${groupByClause(question)}`
