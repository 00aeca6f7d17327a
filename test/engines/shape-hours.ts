import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { type CubeSum, cubeSums } from '#server/fleet/cubes/cube-columns.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Dimensions besides the shape. `hour` is its start in milliseconds, `day` the local day on which it begins. */
type ShapeHoursBy = 'hour' | 'day' | 'operator' | 'vehicle_type'

/** Hours and shapes to compare. */
interface ShapeHoursQuestion {
  regionId: string
  /** Keys as returned by makeShapeKey. */
  shapeKeys: readonly string[]
  /** Milliseconds, half-open. Selects hours that begin in this range. */
  from: number
  until: number
  /** The time zone of `day`. */
  timezone: string
  by: readonly ShapeHoursBy[]
  /** All operators if empty or absent. */
  operators?: readonly string[]
  vehicleTypes?: readonly string[]
}

const toTimeSql = (ms: number): Sql => sql`toDateTime(${bind('Int64', Math.ceil(ms / 1000))}, 'UTC')`

/** Builds SQL that sums the cubes of shapes by the requested dimensions. */
const shapeHoursSql = ({
  regionId,
  shapeKeys,
  from,
  until,
  timezone,
  by,
  operators = [],
  vehicleTypes = [],
}: ShapeHoursQuestion): Sql => {
  const dimensionColumns: Readonly<Record<ShapeHoursBy, Sql>> = {
    hour: sql`toUnixTimestamp(shape_hour.hour) * 1000 as hour`,
    day: sql`toString(toDate(toTimeZone(shape_hour.hour, ${bind('String', timezone)}))) as day`,
    operator: sql`operator`,
    vehicle_type: sql`vehicle_type`,
  }
  const conditions = [
    sql`region_id = ${bind('String', regionId)}`,
    sql`shape_hour.hour >= ${toTimeSql(from)}`,
    sql`shape_hour.hour < ${toTimeSql(until)}`,
    sql`shape_key in (select arrayJoin(arrayMap(key -> toUInt64(key), ${bind('Array(String)', shapeKeys)})))`,
    ...(operators.length ? [sql`operator in ${bind('Array(String)', operators)}`] : []),
    ...(vehicleTypes.length ? [sql`vehicle_type in ${bind('Array(String)', vehicleTypes)}`] : []),
  ]
  const groups = [sql`shape_key`, ...by.map((name) => identifier(name))]
  const columns = [
    sql`toString(shape_key) as key`,
    ...by.map((name) => dimensionColumns[name]),
    ...cubeSums.map((name) => sql`sum(shape_hour.${identifier(name)}) as ${identifier(name)}`),
  ]
  return sql`
  select ${joinSql(columns, ', ')}
  from ${latest('shape_hours')} as shape_hour
  where ${joinSql(conditions, ' and ')}
  group by ${joinSql(groups, ', ')}
  order by ${joinSql(groups, ', ')}`
}

/** Sums of a shape. Shapes without activity have no row. */
export type ShapeHours = Record<CubeSum, number> & {
  key: string
  hour?: number
  day?: string
  operator?: string
  vehicle_type?: string
}

/** Reads sums of shapes from their hourly cubes, by hour, local day, operator and vehicle type if requested. */
export async function readShapeHours(
  store: Facts,
  scope: Scope,
  question: ShapeHoursQuestion,
): Promise<ShapeHours[]> {
  const query = shapeHoursSql(question)
  const rows = await store.rows<Record<string, string | number>>(scope, query, { limits: { seconds: 60 } })
  return rows.map(
    (row) =>
      ({
        ...row,
        ...('hour' in row ? { hour: Number(row['hour']) } : {}),
        ...Object.fromEntries(cubeSums.map((name) => [name, Number(row[name])])),
      }) as ShapeHours,
  )
}
