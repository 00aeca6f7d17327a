import type { VehicleState } from '#contract/vehicle-states.ts'
import {
  applySteps,
  codeSteps,
  faceSteps,
  shapesSql,
  type StoredIndex,
  zipSteps,
} from '#server/geography/membership/face-sql.ts'
import { bind, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'

/** Areas to group or filter facts by. */
export interface MetricAreas {
  indexes: readonly StoredIndex[]
  /** The number of each area's geography, in the order of the areas. A geography may consist of several areas. */
  geographyNumbers: readonly number[]
}

/** Selects facts of a region, counted in successive intervals and groups. */
export interface MetricSelection {
  regionId: string
  lostAfterHours: number
  /** Starts of the intervals and the end of the last one, ms, on full minutes, ascending. */
  edges: readonly number[]
  /** Slugs; null: all. */
  operators: readonly string[] | null
  /** Names of stored vehicle types and states in the requested version of MDS. */
  typeWords: Readonly<Record<string, string>>
  stateWords: Readonly<Record<VehicleState, string>>
  /** Vehicle types by these names; null: all. */
  types: readonly string[] | null
  areas: MetricAreas | null
  by: { operator: boolean; type: boolean; geography: boolean }
}

const keyNames = ['bucket', 'operator_key', 'type_key', 'geography'] as const
/** The key columns of all metrics. */
export const keys: Sql = joinSql(
  keyNames.map((name) => identifier(name)),
  ', ',
)
export const regionCondition = ({ regionId, operators }: MetricSelection): Sql => {
  const operatorFilter = operators ? sql`and operator in ${bind('Array(String)', operators)}` : sql``
  return sql`region_id = ${bind('String', regionId)} ${operatorFilter}`
}
/** Builds a column with the words of values; `other` for values without a word. */
export const translateColumn = (column: Sql, words: Readonly<Record<string, string>>): Sql =>
  sql`
    transform(
      toString(${column}),
      ${bind('Array(String)', Object.keys(words))},
      ${bind('Array(String)', Object.values(words))},
      'other'
    )`
/** Returns the time range of all intervals, ms, half open. */
export const getSpan = ({ edges }: MetricSelection): { from: number; until: number } => ({
  from: edges[0] ?? 0,
  until: edges.at(-1) ?? 0,
})

/**
 * Builds SQL that finds the interval (bucket) of a time. If all intervals have the same length, it is found
 * by division. Otherwise, division by the maximum and minimum length limits the candidates.
 */
export function bucketSql({ edges }: MetricSelection) {
  const lengths = edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0))
  const minLength = Math.min(...lengths)
  const maxLength = Math.max(...lengths)
  const firstEdge = bind('Int64', String(edges[0] ?? 0))
  const lastBucket = bind('Int64', String(lengths.length - 1))
  /** Builds SQL for the interval of a time if all had the same length. */
  const bucketByLength = (ms: Sql, length: number): Sql =>
    sql`toInt64(least(intDiv(${ms} - ${firstEdge}, ${bind('Int64', String(length))}), ${lastBucket}))`
  // Not `array[index]`: ClickHouse would copy the array for each row.
  const start = (bucket: Sql): Sql =>
    minLength === maxLength
      ? sql`(${firstEdge} + toInt64(${bucket}) * ${bind('Int64', String(minLength))})`
      : sql`transform(toInt64(${bucket}), ${bind(
          'Array(Int64)',
          edges.map((_, index) => index),
        )}, ${bind('Array(Int64)', edges)}, toInt64(0))`
  const end = (bucket: Sql): Sql => start(sql`(${bucket} + 1)`)
  const candidates = (from: Sql, until: Sql): Sql =>
    sql`
      arrayMap(
        step -> toInt64(step),
        range(toUInt64(${bucketByLength(from, maxLength)}), toUInt64(${bucketByLength(until, minLength)} + 1))
      )`
  return {
    start,
    end,
    /** The interval that contains a time (ms). */
    containing: (ms: Sql): Sql =>
      minLength === maxLength
        ? bucketByLength(ms, minLength)
        : sql`arrayFirst(candidate -> ${end(sql`candidate`)} > ${ms}, ${candidates(ms, ms)})`,
    /** The intervals that overlap a time range (ms). */
    overlapping: (from: Sql, until: Sql): Sql =>
      minLength === maxLength
        ? candidates(from, sql`${until} - 1`)
        : sql`
          arrayFilter(
            candidate -> ${end(sql`candidate`)} > ${from} and ${start(sql`candidate`)} < ${until},
            ${candidates(from, sql`${until} - 1`)}
          )`,
  }
}

const factType = sql`if(fact.vehicle_type != '', fact.vehicle_type, if(vehicle.kind = '', 'other', vehicle.kind))`

/** Adds `type_word`, the name of the vehicle type, to rows with `operator`, `device` and `vehicle_type`. */
const withTypesSql = (rows: Sql, selection: MetricSelection): Sql => sql`
  select
    fact.*,
    ${translateColumn(factType, selection.typeWords)} as type_word
  from (${rows}) as fact
  left join (
    select operator, device_id as device, vehicle_type as kind
    from ${latest('vehicles')}
    where ${regionCondition(selection)}
  ) as vehicle
    on vehicle.operator = fact.operator and vehicle.device = fact.device`

/** Adds all keys but the interval to rows with `lon` and `lat`, once for each containing `geography`. */
export function withKeysSql(rows: Sql, selection: MetricSelection): Sql {
  const { areas, by, types } = selection
  const typed = sql`
    select *
    from (
      ${withTypesSql(rows, selection)}
    )${types ? sql` where type_word in ${bind('Array(String)', types)}` : sql``}`
  const addKeys = (from: Sql, geography: Sql): Sql => sql`
    select
      *,
      ${by.operator ? sql`toString(operator)` : sql`''`} as operator_key,
      ${by.type ? sql`type_word` : sql`''`} as type_key,
      ${geography} as geography
    from (${from})`
  if (!areas) return addKeys(typed, sql`toUInt32(0)`)
  const point = { lon: sql`lon`, lat: sql`lat` }
  const codes = areas.indexes.map((_, number) => identifier(`c${number}`))
  const faces = areas.indexes.map((_, number) => identifier(`f${number}`))
  const areaNumbers = areas.geographyNumbers.map((_, index) => index + 1)
  const lists = areas.indexes.map((index, number) => shapesSql(index, faces[number] ?? sql``))
  const areasOfPoint = sql`arrayConcat(${joinSql([sql`emptyArrayUInt32()`, ...lists], ', ')})`
  const points = applySteps(sql`select distinct lon, lat from (${typed})`, [
    ...zipSteps(areas.indexes.map((index, number) => codeSteps(index, point, codes[number] ?? sql``))),
    ...zipSteps(
      areas.indexes.map((index, number) =>
        faceSteps(index, point, codes[number] ?? sql``, faces[number] ?? sql``),
      ),
    ),
  ])
  // Points are located in a subquery with a join. As one query, ClickHouse would take seconds to analyze it.
  const placed = sql`
    select fact.*, place.geographies as geographies
    from (${typed}) as fact
    inner join (
      select
        lon, lat,
        arrayDistinct(
          arrayMap(
            area -> transform(
              area,
              ${bind('Array(UInt32)', areaNumbers)},
              ${bind('Array(UInt32)', areas.geographyNumbers)},
              toUInt32(0)
            ),
            ${areasOfPoint}
          )
        ) as geographies
      from (${points})
    ) as place on place.lon = fact.lon and place.lat = fact.lat`
  return addKeys(
    sql`select * from (${placed}) where notEmpty(geographies)`,
    by.geography ? sql`arrayJoin(geographies)` : sql`toUInt32(0)`,
  )
}
