import { bind, latest, type Sql, sql } from '#server/stores/sql.ts'
import {
  deployedIntervalsSql,
  regionCondition,
  daysCondition,
  type ReportDays,
  withVehiclesSql,
} from './report-facts.ts'

/** Returns the first full minute at or after a time (ms), in minutes since 1970. */
const ceilToMinuteColumn = (ms: Sql): Sql => sql`intDiv(${ms} + 59999, 60000)`

/**
 * Builds SQL for rows of `report_fleet_days`, without the columns region, deletion and version, from three sources:
 * - `fleet`: the number of vehicles deployed on the day, and their time within operating hours.
 * - `minutes`: the number of deployed vehicles at each full minute of the day. Each interval adds 1 at its
 *   first minute and subtracts 1 at its end, so the running sum of these changes is the number of vehicles.
 * - `active`: the number of vehicles with trips on the day.
 *
 * The bounds of the days are bound as arrays; `day_index` is the position of a day in them, from 1.
 */
export const reportFleetRows = (query: ReportDays): Sql => {
  const { days } = query
  const dayArray = (getNumber: (day: ReportDays['days'][number]) => number): Sql =>
    sql`${bind('Array(Int64)', days.map(getNumber))}`
  const dayNames = bind(
    'Array(Date)',
    days.map(({ day }) => day),
  )
  const dayIndex = sql`
    arrayJoin(
      arrayFilter(
        index -> begin_ms < ${dayArray(({ until }) => until)}[index]
        and end_ms > ${dayArray(({ from }) => from)}[index],
        arrayEnumerate(${dayArray(({ from }) => from)})
      )
    )`
  const bound = (name: 'from' | 'until'): Sql => sql`${dayArray((day) => day[name])}[day_index]`
  const operatingTimes = (getTime: (range: readonly [number, number]) => number): Sql =>
    sql`${bind(
      'Array(Array(Int64))',
      days.map((day) => day.operating.map(getTime)),
    )}[day_index]`
  const minuteCount = sql`${dayArray(({ from, until }) => Math.ceil(until / 60_000) - Math.ceil(from / 60_000))}[day_index]`
  const spansSql = sql`
    select
      operator, device, kind, propulsion, day_index,
      greatest(begin_ms, ${bound('from')}) as day_begin_ms,
      least(end_ms, ${bound('until')}) as day_end_ms
    from (
      select *, ${dayIndex} as day_index
      from (${withVehiclesSql(deployedIntervalsSql(query), query)})
    )`
  const fleetSql = sql`
    select
      operator, kind, propulsion, day_index,
      uniqExact(device) as deployed,
      sum(
        arraySum(
          (open_ms, close_ms) -> greatest(0, least(close_ms, day_end_ms) - greatest(open_ms, day_begin_ms)),
          ${operatingTimes(([openMs]) => openMs)},
          ${operatingTimes(([, closeMs]) => closeMs)}
        )
      ) as daytime_ms
    from (${spansSql})
    group by operator, kind, propulsion, day_index`
  const changesSql = sql`
    select operator, kind, propulsion, day_index, minute, sum(change) as change
    from (
      select operator, kind, propulsion, day_index, step.1 as minute, step.2 as change
      from (
        select
          *,
          arrayJoin([
            (${ceilToMinuteColumn(sql`day_begin_ms`)} - ${ceilToMinuteColumn(bound('from'))}, toInt64(1)),
            (${ceilToMinuteColumn(sql`day_end_ms`)} - ${ceilToMinuteColumn(bound('from'))}, toInt64(-1))
          ]) as step
        from (${spansSql})
      )
    )
    where minute < ${minuteCount}
    group by operator, kind, propulsion, day_index, minute`
  const minutesSql = sql`
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
    from (${changesSql})
    group by operator, kind, propulsion, day_index`
  const activeSql = sql`
    select operator, kind, propulsion, day_index, uniqExact(vehicle_id) as active
    from (${withVehiclesSql(
      sql`
        select
          operator,
          toUUIDOrZero(vehicle_id) as device,
          vehicle_id, vehicle_type,
          toInt64(indexOf(${dayNames}, local_date)) as day_index
        from ${latest('trips')}
        where ${regionCondition(query)} and ${daysCondition(query)} and vehicle_id != ''`,
      query,
    )}) group by operator, kind, propulsion, day_index`
  const zero = sql`toUInt64(0)`
  return sql`
    select
      ${dayNames}[day_index] as day,
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
      from (${fleetSql})
      union all
      select operator, kind, propulsion, toInt64(day_index), minutes, ${zero}, ${zero}, ${zero}
      from (${minutesSql})
      union all
      select operator, kind, propulsion, day_index, emptyArrayUInt32(), ${zero}, active, ${zero}
      from (${activeSql})
    )
    group by day_index, operator, kind, propulsion`
}
