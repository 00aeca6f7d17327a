import { deployedStates } from '#contract/vehicle-states.ts'
import { createLostRule } from '#server/regions/lost-vehicles.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { FleetQuestion } from './fleet-question.ts'
import { listOperatingPeriods } from './operating-periods.ts'

/** Returns the columns to group by, each followed by a comma. */
const groupColumns = ({ by }: Pick<FleetQuestion, 'by'>): Sql =>
  by.length
    ? sql`${joinSql(
        by.map((name) => identifier(name)),
        ', ',
      )}, `
    : sql``

/** Returns the `group by` clause, if there are columns to group by; `first` come first. */
const groupByClause = ({ by }: Pick<FleetQuestion, 'by'>, first: readonly Sql[] = []): Sql => {
  const names = [...first, ...by.map((name) => identifier(name))]
  return names.length ? sql`group by ${joinSql(names, ', ')}` : sql``
}

/**
 * Builds SQL for intervals (`begins`, `ends`) of vehicles in the requested states, clipped to the requested
 * time. A vehicle without an event for `lostAfterHours` is lost and no longer counted.
 */
const deployedSpansSql = (question: FleetQuestion): Sql => {
  const { regionId, from, until, lostAfterHours, states = deployedStates, where } = question
  const rule = createLostRule(lostAfterHours)
  return sql`
    select
      operator, vehicle_type,
      greatest(from_time, ${toDateTime(from)}) as begins,
      least(to_time, ${rule.lostAt(sql`from_time`)}, ${toDateTime(until)}) as ends
    from ${latest('vehicle_intervals')}
    where
      region_id = ${bind('String', regionId)}
      and state in ${bind('Array(String)', states)}
      and from_time < ${toDateTime(until)}
      and ${rule.hasContact(sql`from_time`, toDateTime(from))}
      and to_time > ${toDateTime(from)}
    ${where ? sql`and (${where})` : sql``}`
}

/** Builds SQL for `avg`: vehicle time divided by the requested time. */
export const averageFleetSql = (question: FleetQuestion): Sql => sql`
  select ${groupColumns(question)}sum(
      dateDiff('millisecond', begins, ends)
    ) / ${bind('Float64', question.until - question.from)} as value
  from (${deployedSpansSql(question)})
  ${groupByClause(question)}`

/** Builds SQL for the average fleet by local hour (`hour_start`, ms), or by the requested part of an hour. */
const fleetByHourSql = (question: FleetQuestion): Sql => {
  const zone = bind('String', question.timezone)
  const from = toDateTime(question.from)
  const until = toDateTime(question.until)
  const startOfHour = (time: Sql): Sql => sql`toStartOfHour(toDateTime(${time}, ${zone}))`
  return sql`
    select
      ${groupColumns(question)}toUnixTimestamp(hour) * 1000 as hour_start,
      sum(dateDiff('millisecond', greatest(begins, hour_begins), least(ends, hour_ends))) / dateDiff(
        'millisecond',
        greatest(any(hour_begins), ${from}),
        least(any(hour_ends), ${until})
      ) as value
    from (
      select
        ${groupColumns(question)}begins, ends,
        arrayJoin(
          arrayMap(
            step -> ${startOfHour(sql`begins`)} + toIntervalHour(step),
            range(
              toUInt32(dateDiff('hour', ${startOfHour(sql`begins`)}, toDateTime(ends, ${zone}))) + 1
            )
          )
        ) as hour,
        toDateTime64(hour, 3, 'UTC') as hour_begins,
        hour_begins + interval 1 hour as hour_ends
      from (${deployedSpansSql(question)})
      where ends > begins
    )
    where hour_begins < ends and hour_ends > begins
    ${groupByClause(question, [sql`hour`])}`
}

/** Builds SQL for `sae_max`: the largest of the hourly averages. */
export const largestHourSql = (question: FleetQuestion): Sql => sql`
  select ${groupColumns(question)}max(value) as value
  from (${fleetByHourSql(question)})
  ${groupByClause(question)}`

/** Builds SQL for the first full minute at or after a time, in minutes since 1970. */
const ceilToMinuteSql = (time: Sql): Sql => sql`intDiv(toUnixTimestamp64Milli(${time}) + 59999, 60000)`

/** Builds SQL for `max`: the largest number of vehicles at any full minute of the requested time. */
export const largestFleetSql = (question: FleetQuestion): Sql => {
  const partition = question.by.length
    ? sql`partition by ${joinSql(
        question.by.map((name) => identifier(name)),
        ', ',
      )}`
    : sql``
  const last = bind('Int64', String(Math.ceil(question.until / 60_000)))
  return sql`
    select ${groupColumns(question)}max(vehicles) as value
    from (
      select
        ${groupColumns(question)}minute,
        sum(sum(change)) over (
          ${partition}
          order by minute
          rows between unbounded preceding and current row
        ) as vehicles
      from (
        select
          ${groupColumns(question)}arrayJoin([
            (${ceilToMinuteSql(sql`begins`)}, toInt64(1)),
            (${ceilToMinuteSql(sql`ends`)}, toInt64(-1))
          ]) as step,
          step.1 as minute,
          step.2 as change
        from (${deployedSpansSql(question)})
      )
      where minute < ${last}
      ${groupByClause(question, [sql`minute`])}
    )
    ${groupByClause(question)}`
}

/** Builds SQL for `daytime_avg`: like `avg`, but only over the operating hours. */
export const daytimeFleetSql = (question: FleetQuestion): Sql => {
  const periods = listOperatingPeriods(question)
  const operatingMs = periods.reduce((sum, [from, until]) => sum + until - from, 0)
  return sql`
    select ${groupColumns(question)}sum(
        arraySum(
          arrayMap(
            (opens, closes) -> greatest(
              0,
              least(closes, toUnixTimestamp64Milli(ends))
              - greatest(opens, toUnixTimestamp64Milli(begins))
            ),
            ${bind(
              'Array(Int64)',
              periods.map(([from]) => from),
            )},
            ${bind(
              'Array(Int64)',
              periods.map(([, until]) => until),
            )}
          )
        )
      ) / ${bind('Float64', Math.max(1, operatingMs))} as value
    from (${deployedSpansSql(question)})
    ${groupByClause(question)}`
}
