import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import { deployedIntervals, isRegion, isWithinDays, type ReportDays, withVehicles } from './report-facts.ts'

/** The first full minute at or after a time (ms), in minutes since 1970. */
const ceilToMinute = (ms: Sql): Sql => sql`intDiv(${ms} + 59999, 60000)`

/**
 * Rows of `report_fleet_days`, without the columns region, deletion and version. `minutes`: vehicles at each
 * full minute.
 */
export const reportFleetRows = (query: ReportDays): Sql => {
  const { days } = query
  const numbers = (getNumber: (day: ReportDays['days'][number]) => number): Sql =>
    sql`${bind('Array(Int64)', days.map(getNumber))}`
  const dayIndex = sql`
    arrayJoin(
      arrayFilter(
        day -> begins < ${numbers(({ until }) => until)}[day]
        and ends > ${numbers(({ from }) => from)}[day],
        arrayEnumerate(${numbers(({ from }) => from)})
      )
    )`
  const bound = (name: 'from' | 'until'): Sql => sql`${numbers((day) => day[name])}[day_index]`
  const operating = (side: 0 | 1): Sql =>
    sql`${bind(
      'Array(Array(Int64))',
      days.map((day) => day.operating.map((range) => range[side])),
    )}[day_index]`
  const minuteCount = sql`${numbers(({ from, until }) => Math.ceil(until / 60_000) - Math.ceil(from / 60_000))}[day_index]`
  const spans = sql`
    select
      operator, device, kind, propulsion, day_index,
      greatest(begins, ${bound('from')}) as day_begins,
      least(ends, ${bound('until')}) as day_ends
    from (
      select *, ${dayIndex} as day_index
      from (${withVehicles(deployedIntervals(query), query)})
    )`
  const fleet = sql`
    select
      operator, kind, propulsion, day_index,
      uniqExact(device) as deployed,
      sum(
        arraySum(
          (opens, closes) -> greatest(0, least(closes, day_ends) - greatest(opens, day_begins)),
          ${operating(0)},
          ${operating(1)}
        )
      ) as daytime_ms
    from (${spans})
    group by operator, kind, propulsion, day_index`
  const changes = sql`
    select operator, kind, propulsion, day_index, minute, sum(change) as change
    from (
      select operator, kind, propulsion, day_index, step.1 as minute, step.2 as change
      from (
        select
          *,
          arrayJoin([
            (${ceilToMinute(sql`day_begins`)} - ${ceilToMinute(bound('from'))}, toInt64(1)),
            (${ceilToMinute(sql`day_ends`)} - ${ceilToMinute(bound('from'))}, toInt64(-1))
          ]) as step
        from (${spans})
      )
    )
    where minute < ${minuteCount}
    group by operator, kind, propulsion, day_index, minute`
  const minutes = sql`
    select
      operator, kind, propulsion, day_index,
      arrayMap(
        count -> toUInt32(count),
        arrayCumSum(
          arrayResize(
            groupArrayInsertAt(toInt64(0))(change, toUInt32(minute)),
            ${minuteCount},
            toInt64(0)
          )
        )
      ) as minutes
    from (${changes})
    group by operator, kind, propulsion, day_index`
  const active = sql`
    select operator, kind, propulsion, day_index, uniqExact(vehicle_id) as active
    from (${withVehicles(
      sql`
        select
          operator,
          toUUIDOrZero(vehicle_id) as device,
          vehicle_id, vehicle_type,
          toInt64(indexOf(${bind(
            'Array(Date)',
            days.map(({ day }) => day),
          )}, local_date)) as day_index
        from ${latest('trips')}
        where ${isRegion(query)} and ${isWithinDays(query)} and vehicle_id != ''`,
      query,
    )}) group by operator, kind, propulsion, day_index`
  const zero = sql`toUInt64(0)`
  return sql`
    select
      ${bind(
        'Array(Date)',
        days.map(({ day }) => day),
      )}[day_index] as day,
      operator,
      kind as vehicle_type,
      propulsion,
      groupArrayArray(minutes) as minutes,
      sum(deployed) as deployed,
      sum(active) as active,
      sum(daytime_ms) as daytime_ms
    from (
      select
        operator, kind, propulsion,
        toInt64(day_index) as day_index,
        emptyArrayUInt32() as minutes,
        deployed,
        ${zero} as active,
        toUInt64(daytime_ms) as daytime_ms
      from (${fleet})
      union all
      select operator, kind, propulsion, toInt64(day_index), minutes, ${zero}, ${zero}, ${zero}
      from (${minutes})
      union all
      select operator, kind, propulsion, day_index, emptyArrayUInt32(), ${zero}, active, ${zero}
      from (${active})
    )
    group by day_index, operator, kind, propulsion`
}
