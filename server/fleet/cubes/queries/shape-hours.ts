import { hourMs } from '#contract/period.ts'
import type { Box } from '#contract/place.ts'
import {
  codeSteps,
  faceSteps,
  firstEdgeCode,
  applySteps,
  shapesSql,
  zipSteps,
  type StoredIndex,
} from '#server/geography/membership/face-sql.ts'
import { toDateTime } from '#server/stores/date-time.ts'
import { bind, facts, identifier, joinSql, latest, type Sql, sql } from '#server/stores/sql.ts'
import { tripSumsByShapeSql } from '../../trips-by-shape.ts'
import {
  ALL_SHAPES_ID,
  type CubeSum,
  cubeSums,
  NO_SHAPE_ID,
  placedSums,
  shapeHourColumns,
  tripSums,
} from '../cube-columns.ts'
import { cubeFactsSql, type FactSpan } from './cube-facts.ts'

/** A query for hours of shapes of a layer. */
export interface HoursQuery extends FactSpan {
  /** Starts of the hours, ms; null: all hours from `from` until `until`. */
  hours: readonly number[] | null
  shift: number
  indexes: readonly StoredIndex[]
  /** The list in cube_shapes that identifies the shapes by their numbers in the indexes. */
  listId: string
  /** A bounding box of the shapes; null if they may be anywhere. */
  box: Box | null
  version: bigint
}

const joinColumns = (list: readonly Sql[]): Sql => joinSql(list, ', ')
const point = { lon: sql`lon`, lat: sql`lat` }
/** Returns hours since 1970 by the region's clock. */
const listHourNumbers = ({ hours, shift }: HoursQuery): number[] =>
  (hours ?? []).map((hour) => Math.round((hour + shift) / hourMs))

/** Builds SQL for the facts in the bounding box of the shapes. */
function factsInBoxSql(query: HoursQuery): Sql {
  if (!query.box) return cubeFactsSql(query)
  const [west, south, east, north] = query.box
  const degrees = (value: number) => bind('Float64', value)
  return sql`
    select *
    from (${cubeFactsSql(query)})
    where
      lon >= ${degrees(west)}
      and lon <= ${degrees(east)}
      and lat >= ${degrees(south)}
      and lat <= ${degrees(north)}`
}

/** Builds SQL for facts with their code in each index, split by hour. `amount`: ms within the hour. */
function codedHoursSql(query: HoursQuery, codes: readonly Sql[]): Sql {
  const coded = applySteps(
    factsInBoxSql(query),
    zipSteps(query.indexes.map((index, number) => codeSteps(index, point, codes[number] as Sql))),
  )
  const shift = bind('Int64', query.shift)
  const length = bind('Int64', hourMs)
  return sql`
    select
      operator, vehicle_type, lon, lat, kind, ${joinColumns(codes)},
      arrayJoin(
        range(
          toUInt32(intDiv(begins + ${shift}, ${length})),
          toUInt32(intDiv(ends - 1 + ${shift}, ${length})) + 1
        )
      ) as hour_number,
      least(ends, (toInt64(hour_number) + 1) * ${length} - ${shift})
      - greatest(begins, toInt64(hour_number) * ${length} - ${shift}) as amount
    from (${coded})`
}

/** Builds SQL for sums by code and hour. Facts in edge cells retain their positions for an exact test. */
function summedCodesSql(query: HoursQuery, codes: readonly Sql[]): Sql {
  const onEdge = joinSql(
    codes.map((code) => sql`${code} >= ${firstEdgeCode()}`),
    ' or ',
  )
  const keys = [sql`hour_number`, sql`operator`, sql`vehicle_type`, ...codes, sql`lon`, sql`lat`]
  const hourCondition = query.hours
    ? sql`where hour_number in ${bind('Array(UInt32)', listHourNumbers(query))}`
    : sql``
  const sums = placedSums.map(
    (name, index) => sql`sumIf(amount, kind = ${bind('UInt8', index)}) as ${identifier(name)}`,
  )
  return sql`
    select
      ${joinColumns(keys)},
      ${joinColumns(sums)}
    from (
      select
        hour_number, operator, vehicle_type, kind, amount, ${joinColumns(codes)},
        if(${onEdge}, place.lon, 0) as lon,
        if(${onEdge}, place.lat, 0) as lat
      from (${codedHoursSql(query, codes)}) as place
      ${hourCondition}
    )
    group by ${joinColumns(keys)}`
}

const zeroColumns = (names: readonly CubeSum[]): Sql[] => names.map((name) => sql`0 as ${identifier(name)}`)
const toIdentifiers = (names: readonly CubeSum[]): Sql[] => names.map((name) => identifier(name))

/** Builds SQL for sums of facts at one place, by number of shape and hour. */
function placedRows(query: HoursQuery): Sql {
  const codes = query.indexes.map((_, number) => identifier(`c${number}`))
  const faces = query.indexes.map((_, number) => identifier(`f${number}`))
  const withFaces = applySteps(
    summedCodesSql(query, codes),
    zipSteps(
      query.indexes.map((index, number) =>
        faceSteps(index, point, codes[number] as Sql, faces[number] as Sql),
      ),
    ),
  )
  const shapes = sql`
    arrayDistinct(
      arrayConcat(
        emptyArrayUInt32(),
        ${joinColumns(query.indexes.map((index, number) => shapesSql(index, faces[number] as Sql)))}
      )
    )`
  return sql`
    select
      arrayJoin(
        arrayPushBack(
          if(empty(${shapes}), [${bind('UInt32', NO_SHAPE_ID)}], ${shapes}),
          ${bind('UInt32', ALL_SHAPES_ID)}
        )
      ) as number,
      hour_number, operator, vehicle_type,
      ${joinColumns([...zeroColumns(tripSums), ...toIdentifiers(placedSums)])}
    from (${withFaces})`
}

/** Builds SQL for sums of trips, by number of shape and hour of their start. */
function tripRows(query: HoursQuery): Sql {
  const { from, until, shift, box } = query
  const hour = sql`
    toUInt32(
      intDiv(toUnixTimestamp64Milli(start_time) + ${bind('Int64', shift)}, ${bind('Int64', hourMs)})
    )`
  const inBox = ([west, south, east, north]: Box, lon: Sql, lat: Sql): Sql =>
    sql`
      (
        ${lon} between ${bind('Float64', west)} and ${bind('Float64', east)}
        and ${lat} between ${bind('Float64', south)} and ${bind('Float64', north)}
      )`
  const conditions = [
    sql`
      region_id = ${bind('String', query.regionId)}
      and local_date between toDate(${toDateTime(from)}) - 1 and toDate(${toDateTime(until)}) + 1`,
    sql`start_time >= ${toDateTime(from)} and start_time < ${toDateTime(until)}`,
    ...(query.hours ? [sql`${hour} in ${bind('Array(UInt32)', listHourNumbers(query))}`] : []),
    ...(box
      ? [sql`(${inBox(box, sql`start_lon`, sql`start_lat`)} or ${inBox(box, sql`end_lon`, sql`end_lat`)})`]
      : []),
  ]
  const sums = tripSumsByShapeSql(
    {
      conditions: joinSql(conditions, ' and '),
      indexes: query.indexes,
      groups: [
        { name: sql`hour_number`, column: hour },
        { name: sql`operator`, column: sql`operator` },
        { name: sql`vehicle_type`, column: sql`vehicle_type` },
      ],
    },
    null,
  )
  return sql`
    select
      shape as number,
      hour_number, operator, vehicle_type,
      ${joinColumns([...toIdentifiers(tripSums), ...zeroColumns(placedSums)])}
    from (${sums})`
}

/**
 * Builds SQL for rows of shape_hours. A point on the border between two neighbors counts in one of them,
 * a point in overlapping shapes counts in each.
 */
export const shapeHourRows = (query: HoursQuery): Sql => sql`
  select
    ${bind('String', query.regionId)},
    shape.shape_key as shape_key,
    toDateTime(toInt64(hour_number) * 3600 - ${bind('Int64', query.shift / 1000)}, 'UTC') as hour,
    operator, vehicle_type,
    ${joinColumns(cubeSums.map((name) => sql`sum(${identifier(name)})`))},
    0,
    ${bind('UInt64', String(query.version))}
  from (${placedRows(query)} union all ${tripRows(query)}) as counted
  inner join (${shapesOfListSql(query)}) as shape on shape.number = counted.number
  group by shape_key, hour_number, operator, vehicle_type`

const shapesOfListSql = ({ regionId, listId }: HoursQuery): Sql =>
  sql`
    select number, shape_key
    from ${latest('cube_shapes')}
    where region_id = ${bind('String', regionId)} and list_id = ${bind('UUID', listId)}`

/** Builds SQL for rows that delete stored rows of the query which its version did not write. */
export function hourDeletionRows(query: HoursQuery): Sql {
  const version = bind('UInt64', String(query.version))
  const changedColumns: Readonly<Record<string, Sql>> = { is_deleted: sql`1`, version: sql`${version}` }
  const timeSql = (ms: number): Sql => sql`toDateTime(${bind('Int64', Math.floor(ms / 1000))}, 'UTC')`
  const hourCondition = query.hours
    ? sql`and toUnixTimestamp(hour) in ${bind(
        'Array(UInt32)',
        query.hours.map((hour) => hour / 1000),
      )}`
    : sql``
  return sql`
    select ${joinColumns(shapeHourColumns.map((name) => changedColumns[name] ?? identifier(name)))}
    from ${latest('shape_hours')}
    where
      region_id = ${bind('String', query.regionId)}
      and hour >= ${timeSql(query.from)}
      and hour < ${timeSql(query.until)} ${hourCondition}
      and version < ${version}
      and shape_key in (
        select shape_key
        from ${facts('cube_shapes')}
        where region_id = ${bind('String', query.regionId)} and list_id = ${bind('UUID', query.listId)}
      )`
}
