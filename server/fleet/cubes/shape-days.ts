import { dayFromNumber } from '#contract/period.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { CubeSum } from './cube-columns.ts'

/** A half-open range of days since 1970, or of ms. */
export interface Span {
  from: number
  until: number
}

/** Selects shapes, days and filters, and how sums are grouped. */
interface ShapeDaysQuery {
  regionId: string
  /** As computed by `makeShapeKey`. */
  shapeKeys: readonly string[]
  /** Spans of days. */
  spans: readonly Span[]
  /** Columns to group by in addition to the shape. */
  groupBy: readonly ('day' | 'hour' | 'operator')[]
  sums: readonly CubeSum[]
  /** Filters; an empty list does not filter. */
  operators: readonly string[]
  vehicleTypes: readonly string[]
  /** ISO numbers. */
  weekdays: readonly number[]
  /** Hours of the local day, 0 to 23. */
  hours: readonly number[]
}

/** Sums of a shape; `bucket` is its day or hour. Shapes without facts have no row, or a row of zeros. */
interface ShapeSumsRow {
  key: string
  bucket?: string
  operator?: string
  sums: Partial<Record<CubeSum, number>>
}

const spanCondition = ({ from, until }: Span): Sql =>
  sql`
    shape_day.day >= ${bind('Date', dayFromNumber(from))}
    and shape_day.day < ${bind('Date', dayFromNumber(until))}`

/** Builds SQL for sums by shape and the requested columns (`ShapeSumsRow`, without `sums`). */
function shapeDaySumsSql({
  regionId,
  shapeKeys,
  spans,
  groupBy,
  sums,
  operators,
  vehicleTypes,
  weekdays,
  hours,
}: ShapeDaysQuery): Sql {
  const spanConditions = spans.map(spanCondition)
  const conditions = [
    sql`
      region_id = ${bind('String', regionId)}
      and (${joinSql(spanConditions, ' or ')})
      and shape_key in (
        select arrayJoin(arrayMap(key -> toUInt64(key), ${bind('Array(String)', shapeKeys)}))
      )`,
    ...(operators.length ? [sql`operator in ${bind('Array(String)', operators)}`] : []),
    ...(vehicleTypes.length ? [sql`vehicle_type in ${bind('Array(String)', vehicleTypes)}`] : []),
    ...(weekdays.length
      ? // bitXor hides the table's column from ClickHouse, which would prune parts incorrectly (see selectMoments).
        [sql`toDayOfWeek(bitXor(toUInt16(shape_day.day), 0)::Date) in ${bind('Array(UInt8)', weekdays)}`]
      : []),
  ]
  const rows = sql`${latest('shape_day_hours')} as shape_day where ${joinSql(conditions, ' and ')}`
  const requestedHours = bind(
    'UInt32',
    // Bit n: hour n of the day.
    hours.reduce((bits, hour) => bits + 2 ** hour, 0),
  )
  const isRequested = hours.length ? sql`bitTest(${requestedHours}, hour)` : sql`true`
  if (groupBy.includes('hour')) {
    // Unfolds a day into tuples of its hours: element 1 is the hour, the sums follow.
    const hourSums = joinSql(
      sums.map(
        (name, index) => sql`sum(tupleElement(part, ${bind('UInt8', index + 2)})) as ${identifier(name)}`,
      ),
      ', ',
    )
    const zipped = joinSql(
      [sql`shape_day.by_hour.hour`, ...sums.map((name) => sql`shape_day.${identifier(`by_hour.${name}`)}`)],
      ', ',
    )
    return sql`
      select toString(shape_key) as key, toString(hour) as bucket, ${hourSums}
      from (
        select shape_key, arrayJoin(arrayZip(${zipped})) as part, tupleElement(part, 1) as hour
        from ${rows}
      )
      where ${isRequested}
      group by shape_key, hour`
  }
  const sumOfHours = (name: CubeSum): Sql =>
    hours.length
      ? sql`
        sum(
          arrayDotProduct(
            shape_day.${identifier(`by_hour.${name}`)},
            arrayMap(hour -> ${isRequested}, shape_day.by_hour.hour)
          )
        )`
      : sql`sum(shape_day.${identifier(name)})`
  const groups = [
    sql`shape_key`,
    ...groupBy.map((name) => (name === 'day' ? sql`shape_day.day` : sql`operator`)),
  ]
  const groupColumns = groupBy.map((name) =>
    name === 'day' ? sql`toString(shape_day.day) as bucket` : sql`operator`,
  )
  return sql`
    select
      toString(shape_key) as key,
      ${joinSql([...groupColumns, ...sums.map((name) => sql`${sumOfHours(name)} as ${identifier(name)}`)], ', ')}
    from ${rows}
    group by ${joinSql(groups, ', ')}`
}

/** The maximum number of keys per query, because parameters are sent in the URL. */
const keysPerQuery = 4000

/** Reads sums of shapes by local day or hour from the cubes, for the days that `findCubedDays` returns. */
export async function readShapeDays(
  facts: Facts,
  scope: Scope,
  query: ShapeDaysQuery,
  signal: AbortSignal,
): Promise<ShapeSumsRow[]> {
  const result: ShapeSumsRow[] = []
  for (let start = 0; start < query.shapeKeys.length; start += keysPerQuery) {
    const rows = await facts.rows<Record<string, string>>(
      scope,
      shapeDaySumsSql({ ...query, shapeKeys: query.shapeKeys.slice(start, start + keysPerQuery) }),
      { limits: { seconds: 60 }, signal },
    )
    for (const { key = '', bucket, operator, ...row } of rows)
      result.push({
        key,
        ...(bucket === undefined ? {} : { bucket }),
        ...(operator === undefined ? {} : { operator }),
        sums: Object.fromEntries(query.sums.map((name) => [name, Number(row[name])])),
      })
  }
  return result
}
