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
  /**
   * The number of each area's geography, in the order of the areas. A geography may consist of several areas.
   */
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
export const keys: Sql = joinSql(
  keyNames.map((name) => identifier(name)),
  ', ',
)
export const inRegion = ({ regionId, operators }: MetricSelection): Sql => {
  const operatorFilter = operators ? sql`and operator in ${bind('Array(String)', operators)}` : sql``
  return sql`region_id = ${bind('String', regionId)} ${operatorFilter}`
}
export const translate = (column: Sql, words: Readonly<Record<string, string>>): Sql =>
  sql`
    transform(
      toString(${column}),
      ${bind('Array(String)', Object.keys(words))},
      ${bind('Array(String)', Object.values(words))},
      'other'
    )`
export const getSpan = ({ edges }: MetricSelection): { from: number; until: number } => ({
  from: edges[0] ?? 0,
  until: edges.at(-1) ?? 0,
})

/**
 * Returns SQL that finds the interval (bucket) of a time. If all intervals have the same length, it is found
 * by division. Otherwise, division by the maximum and minimum length limits the candidates.
 */
export function bucketSql({ edges }: MetricSelection) {
  const lengths = edges.slice(1).map((edge, index) => edge - (edges[index] ?? 0))
  const [min, max] = [Math.min(...lengths), Math.max(...lengths)]
  const first = bind('Int64', String(edges[0] ?? 0))
  const last = bind('Int64', String(lengths.length - 1))
  const guess = (ms: Sql, length: number): Sql =>
    sql`toInt64(least(intDiv(${ms} - ${first}, ${bind('Int64', String(length))}), ${last}))`
  // Not `array[index]`: ClickHouse would copy the array for each row.
  const start = (bucket: Sql): Sql =>
    min === max
      ? sql`(${first} + toInt64(${bucket}) * ${bind('Int64', String(min))})`
      : sql`transform(toInt64(${bucket}), ${bind(
          'Array(Int64)',
          edges.map((_, index) => index),
        )}, ${bind('Array(Int64)', edges)}, toInt64(0))`
  const end = (bucket: Sql): Sql => start(sql`(${bucket} + 1)`)
  const candidates = (from: Sql, until: Sql): Sql =>
    sql`
      arrayMap(
        step -> toInt64(step),
        range(toUInt64(${guess(from, max)}), toUInt64(${guess(until, min)} + 1))
      )`
  return {
    start,
    end,
    /** The interval that contains a time (ms). */
    containing: (ms: Sql): Sql =>
      min === max
        ? guess(ms, min)
        : sql`arrayFirst(candidate -> ${end(sql`candidate`)} > ${ms}, ${candidates(ms, ms)})`,
    /** The intervals that overlap a time range (ms). */
    overlapping: (from: Sql, until: Sql): Sql =>
      min === max
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
const withTypes = (rows: Sql, selection: MetricSelection): Sql => sql`
  select
    fact.*,
    ${translate(factType, selection.typeWords)} as type_word
  from (${rows}) as fact
  left join (
    select operator, device_id as device, vehicle_type as kind
    from ${latest('vehicles')}
    where ${inRegion(selection)}
  ) as vehicle
    on vehicle.operator = fact.operator and vehicle.device = fact.device`

/**
 * Adds all keys except the interval to rows with `lon` and `lat`. A row is repeated for each `geography` that
 * contains it.
 */
export function withKeys(rows: Sql, selection: MetricSelection): Sql {
  const { areas, by, types } = selection
  const typed = sql`
    select *
    from (
      ${withTypes(rows, selection)}
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
