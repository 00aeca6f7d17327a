import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { cubeSums } from '../cube-columns.ts'

/** What is told apart beside the shape. `hour` is its begin in ms, `day` the local day on which it begins. */
export type ShapeHoursBy = 'hour' | 'day' | 'operator' | 'vehicle_type'

/** Which hours of which shapes. */
export interface ShapeHoursQuestion {
  regionId: string
  /** As shapeKey. */
  shapeKeys: readonly string[]
  /** Ms, half open; hours that begin in it. */
  from: number
  until: number
  /** Of `day`. */
  timezone: string
  by: readonly ShapeHoursBy[]
  /** Empty or absent: all. */
  operators?: readonly string[]
  vehicleTypes?: readonly string[]
}

const moment = (ms: number): Sql => sql`toDateTime(${bind('Int64', Math.ceil(ms / 1000))}, 'UTC')`

export const shapeHourSums = ({
  regionId,
  shapeKeys,
  from,
  until,
  timezone,
  by,
  operators = [],
  vehicleTypes = [],
}: ShapeHoursQuestion): Sql => {
  const named: Readonly<Record<ShapeHoursBy, Sql>> = {
    hour: sql`toUnixTimestamp(shape_hour.hour) * 1000 as hour`,
    day: sql`toString(toDate(toTimeZone(shape_hour.hour, ${bind('String', timezone)}))) as day`,
    operator: sql`operator`,
    vehicle_type: sql`vehicle_type`,
  }
  const conditions = [
    sql`region_id = ${bind('String', regionId)} and shape_hour.hour >= ${moment(from)} and shape_hour.hour < ${moment(until)} and shape_key in (select arrayJoin(arrayMap(key -> toUInt64(key), ${bind('Array(String)', shapeKeys)})))`,
    ...(operators.length ? [sql`operator in ${bind('Array(String)', operators)}`] : []),
    ...(vehicleTypes.length ? [sql`vehicle_type in ${bind('Array(String)', vehicleTypes)}`] : []),
  ]
  const groups = [sql`shape_key`, ...by.map((name) => identifier(name))]
  return sql`
  select toString(shape_key) as key, ${joinSql([...by.map((name) => named[name]), ...cubeSums.map((name) => sql`sum(shape_hour.${identifier(name)}) as ${identifier(name)}`)], ', ')}
  from ${latest('shape_hours')} as shape_hour
  where ${joinSql(conditions, ' and ')}
  group by ${joinSql(groups, ', ')}
  order by ${joinSql(groups, ', ')}`
}
