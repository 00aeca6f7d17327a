import { dayFromNumber } from '#contract/period.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { CubeSum } from './cube-columns.ts'

/** From when to when, half open: days since 1970, or ms. */
export interface Span {
  from: number
  until: number
}

/** Which days of which shapes. */
interface ShapeDaysQuery {
  regionId: string
  /** As shapeKey. */
  shapeKeys: readonly string[]
  /** Days in one of these. */
  spans: readonly Span[]
  /** What is returned as groups beside the shape. */
  by: readonly ('day' | 'hour' | 'operator')[]
  sums: readonly CubeSum[]
  /** Empty: all. `weekdays`: ISO; `hours`: of the local day. */
  operators: readonly string[]
  vehicleTypes: readonly string[]
  weekdays: readonly number[]
  hours: readonly number[]
}

/** Sums of a shape; `bucket` is its day or hour. Shapes without any facts have no row or zeros. */
interface ShapeDays {
  key: string
  bucket?: string
  operator?: string
  sums: Partial<Record<CubeSum, number>>
}

const inSpan = ({ from, until }: Span): Sql =>
  sql`shape_day.day >= ${bind('Date', dayFromNumber(from))} and shape_day.day < ${bind('Date', dayFromNumber(until))}`

function shapeDaySums({
  regionId,
  shapeKeys,
  spans,
  by,
  sums,
  operators,
  vehicleTypes,
  weekdays,
  hours,
}: ShapeDaysQuery): Sql {
  const within = spans.map(inSpan)
  const conditions = [
    sql`region_id = ${bind('String', regionId)} and (${joinSql(within, ' or ')}) and shape_key in (select arrayJoin(arrayMap(key -> toUInt64(key), ${bind('Array(String)', shapeKeys)})))`,
    ...(operators.length ? [sql`operator in ${bind('Array(String)', operators)}`] : []),
    ...(vehicleTypes.length ? [sql`vehicle_type in ${bind('Array(String)', vehicleTypes)}`] : []),
    ...(weekdays.length
      ? // bitXor hides the table's own column from the engine, which would prune parts incorrectly (see selectMoments).
        [sql`toDayOfWeek(bitXor(toUInt16(shape_day.day), 0)::Date) in ${bind('Array(UInt8)', weekdays)}`]
      : []),
  ]
  const rows = sql`${latest('shape_day_hours')} as shape_day where ${joinSql(conditions, ' and ')}`
  const requestedHours = bind(
    'UInt32',
    hours.reduce((bits, hour) => bits + 2 ** hour, 0),
  )
  const isRequested = hours.length ? sql`bitTest(${requestedHours}, hour)` : sql`true`
  if (by.includes('hour')) {
    // A row per hour: the sums of the requested hours only.
    const parts = joinSql(
      sums.map((name, at) => sql`sum(tupleElement(part, ${bind('UInt8', at + 2)})) as ${identifier(name)}`),
      ', ',
    )
    const zipped = joinSql(
      [sql`shape_day.by_hour.hour`, ...sums.map((name) => sql`shape_day.${identifier(`by_hour.${name}`)}`)],
      ', ',
    )
    return sql`
  select toString(shape_key) as key, toString(hour) as bucket, ${parts}
  from (select shape_key, arrayJoin(arrayZip(${zipped})) as part, tupleElement(part, 1) as hour from ${rows})
  where ${isRequested}
  group by shape_key, hour`
  }
  const sumOf = (name: CubeSum): Sql =>
    hours.length
      ? sql`sum(arrayDotProduct(shape_day.${identifier(`by_hour.${name}`)}, arrayMap(hour -> ${isRequested}, shape_day.by_hour.hour)))`
      : sql`sum(shape_day.${identifier(name)})`
  const groups = [sql`shape_key`, ...by.map((name) => (name === 'day' ? sql`shape_day.day` : sql`operator`))]
  return sql`
  select toString(shape_key) as key, ${joinSql([...by.map((name) => (name === 'day' ? sql`toString(shape_day.day) as bucket` : sql`operator`)), ...sums.map((name) => sql`${sumOf(name)} as ${identifier(name)}`)], ', ')}
  from ${rows}
  group by ${joinSql(groups, ', ')}`
}

/** Keys of one query: they travel in its address. */
const keysPerQuery = 4000

/** What happened in shapes on local days, out of the cubes. Which days they know: `knownDays`. */
export async function shapeDays(
  store: Facts,
  scope: Scope,
  query: ShapeDaysQuery,
  signal: AbortSignal,
): Promise<ShapeDays[]> {
  const found: ShapeDays[] = []
  for (let at = 0; at < query.shapeKeys.length; at += keysPerQuery) {
    const rows = await store.rows<Record<string, string>>(
      scope,
      shapeDaySums({ ...query, shapeKeys: query.shapeKeys.slice(at, at + keysPerQuery) }),
      { limits: { seconds: 60 }, signal },
    )
    for (const { key = '', bucket, operator, ...row } of rows)
      found.push({
        key,
        ...(bucket === undefined ? {} : { bucket }),
        ...(operator === undefined ? {} : { operator }),
        sums: Object.fromEntries(query.sums.map((name) => [name, Number(row[name])])),
      })
  }
  return found
}
