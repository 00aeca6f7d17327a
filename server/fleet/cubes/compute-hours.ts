import type { Facts } from '#server/stores/facts.ts'
import { bind, facts as factTable, sql, identifier, joinSql, latest, type Sql } from '#server/stores/sql.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { hourMs } from '#contract/period.ts'
import { shapeDayColumns, shapeHourColumns, cubeSums } from './cube-columns.ts'
import type { CubeRegion } from './cube-region.ts'
import { computeShapesBox, type KeyedShape, hashShapeList, removeDuplicateKeys } from './layer-shapes.ts'
import { type HoursQuery, shapeHourRows, hourDeletionRows } from './queries/shape-hours.ts'
import type { ReadyLayer } from './ready-layer.ts'

/** Shapes and local days for which sums are computed. */
interface DaysQuery {
  regionId: string
  timezone: string
  /** Days since 1970. */
  days: readonly number[]
  /** Time range of these days, ms, half open. */
  from: number
  until: number
  /** The list in cube_shapes. */
  listId: string
  version: bigint
}

const timeSql = (ms: number): Sql => sql`toDateTime(${bind('Int64', Math.floor(ms / 1000))}, 'UTC')`
const shapeKeysSql = ({ regionId, listId }: DaysQuery): Sql =>
  sql`
    select shape_key
    from ${factTable('cube_shapes')}
    where region_id = ${bind('String', regionId)} and list_id = ${bind('UUID', listId)}`

/** Returns all sums of cubes as select expressions. */
const sumColumns = (expression: (name: string) => Sql): Sql =>
  joinSql(
    cubeSums.map((name) => sql`${expression(name)} as ${identifier(name)}`),
    ', ',
  )

/**
 * Builds SQL for rows of shape_day_hours, computed from shape_hours: the sums of each day, and of each local
 * hour that has facts. Stored rows that no longer have facts become zero. An hour that the clock repeats in
 * autumn is one hour.
 */
function shapeDayRows(query: DaysQuery): Sql {
  const region = bind('String', query.regionId)
  const days = bind('Array(UInt16)', query.days)
  // bitXor hides from ClickHouse that the condition is on the table's time column (see selectMoments).
  const local = sql`
    toTimeZone(
      toDateTime(bitXor(toUnixTimestamp(shape_hour.hour), 0), 'UTC'),
      ${bind('String', query.timezone)}
    )`
  const day = sql`toDate(${local})`
  const hours = sql`
    select
      shape_key,
      ${day} as day,
      operator, vehicle_type,
      toUInt8(toHour(${local})) as local_hour,
      toUInt8(1) as is_hour,
      ${sumColumns((name) => sql`toUInt64(shape_hour.${identifier(name)})`)}
    from ${latest('shape_hours')} as shape_hour
    where
      region_id = ${region}
      and shape_hour.hour >= ${timeSql(query.from)}
      and shape_hour.hour < ${timeSql(query.until)}
      and shape_key in (${shapeKeysSql(query)})
      and toUInt16(day) in ${days}`
  // Zeros for the stored rows. They are removed from the lists of hours by `is_hour`.
  const storedRows = sql`
    select
      shape_key,
      shape_day.day as day,
      operator, vehicle_type,
      toUInt8(0) as local_hour,
      toUInt8(0) as is_hour,
      ${sumColumns(() => sql`toUInt64(0)`)}
    from ${latest('shape_day_hours')} as shape_day
    where
      region_id = ${region}
      and shape_key in (${shapeKeysSql(query)})
      and toUInt16(shape_day.day) in ${days}`
  const byHour = sql`
    select
      shape_key, day, operator, vehicle_type, local_hour, is_hour,
      ${sumColumns((name) => sql`sum(part.${identifier(name)})`)}
    from (${hours} union all ${storedRows}) as part
    group by shape_key, day, operator, vehicle_type, local_hour, is_hour`
  // One array of tuples, so that the arrays of all sums have the order of the hours. Element 1 is the hour.
  const hoursOfDay = sql`arraySort(groupArrayIf((local_hour, ${joinSql(
    cubeSums.map((name) => sql`by_hour.${identifier(name)}`),
    ', ',
  )}), is_hour = 1))`
  return sql`
    select
      ${region}, shape_key, day, operator, vehicle_type,
      ${joinSql(
        cubeSums.map((name) => identifier(`day_${name}`)),
        ', ',
      )},
      arrayMap(hour -> tupleElement(hour, 1), parts),
      ${joinSql(
        cubeSums.map(
          (_, index) => sql`arrayMap(hour -> tupleElement(hour, ${bind('UInt8', index + 2)}), parts)`,
        ),
        ', ',
      )},
      ${bind('UInt64', String(query.version))}
    from (
      select
        shape_key, day, operator, vehicle_type,
        ${joinSql(
          cubeSums.map((name) => sql`sum(by_hour.${identifier(name)}) as ${identifier(`day_${name}`)}`),
          ', ',
        )},
        ${hoursOfDay} as parts
      from (${byHour}) as by_hour
      group by shape_key, day, operator, vehicle_type
    )`
}

/** A list of hours by their start (ms), or all hours of a time range (ms, half open). */
export type HourSelection = readonly number[] | { from: number; until: number }

/** The limits of statements: 10 minutes and 4 GiB. */
const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }

/**
 * Computes hours of shapes of a layer, and the days that contain them. Inserts new rows first, then withdraws
 * obsolete ones. Idempotent.
 */
export async function computeHours(
  facts: Facts,
  region: CubeRegion,
  layer: ReadyLayer,
  {
    shapes: requestedShapes,
    hours,
    version,
  }: { shapes: readonly KeyedShape[]; hours: HourSelection; version: bigint },
): Promise<void> {
  const shapes = removeDuplicateKeys(requestedShapes)
  const listedHours = Array.isArray(hours) ? (hours as readonly number[]) : null
  if (!shapes.length || listedHours?.length === 0) return
  const { from, until } = listedHours
    ? { from: Math.min(...listedHours), until: Math.max(...listedHours) + hourMs }
    : (hours as { from: number; until: number })
  const { regionId, scope, lostAfterHours, shift } = region
  const listId = await storeShapeList(facts, region, shapes)
  const hoursQuery: HoursQuery = {
    regionId,
    from,
    until,
    lostAfterHours,
    hours: listedHours,
    shift,
    indexes: await layer.indexes(),
    listId,
    box: computeShapesBox(shapes),
    version,
  }
  if (hoursQuery.indexes.length)
    await facts.add(scope, 'shape_hours', {
      columns: shapeHourColumns,
      rows: shapeHourRows(hoursQuery),
      ...queryOptions,
    })
  await facts.add(scope, 'shape_hours', {
    columns: shapeHourColumns,
    rows: hourDeletionRows(hoursQuery),
    ...queryOptions,
  })
  const { days, firstDay, lastDay, ...daysRange } = findLocalDays(
    region,
    listedHours ?? [from, until - hourMs],
  )
  const allDays = Array.from({ length: lastDay - firstDay + 1 }, (_, offset) => firstDay + offset)
  const daysQuery: DaysQuery = {
    regionId,
    timezone: region.timezone,
    days: listedHours ? days : allDays,
    ...daysRange,
    listId,
    version,
  }
  await facts.add(scope, 'shape_day_hours', {
    columns: shapeDayColumns,
    rows: shapeDayRows(daysQuery),
    ...queryOptions,
  })
}

/** Copies all sums of shapes to new keys; `newKeys` maps old keys to new ones. */
export async function copyHours(
  facts: Facts,
  region: CubeRegion,
  newKeys: ReadonlyMap<string, string>,
): Promise<void> {
  const storeKeys = (keys: Iterable<string>) =>
    storeShapeList(
      facts,
      region,
      [...keys].map((key, number) => ({ shapeId: '', number, key, box: null })),
    )
  const regionId = bind('String', region.regionId)
  const selectKeys = async (keys: Iterable<string>): Promise<Sql> =>
    sql`
      (
        select number, shape_key
        from ${factTable('cube_shapes')}
        where region_id = ${regionId} and list_id = ${bind('UUID', await storeKeys(keys))}
      )`
  const names = sql`
    (
      select old.shape_key as old_key, new.shape_key as new_key
      from ${await selectKeys(newKeys.keys())} as old
      join ${await selectKeys(newKeys.values())} as new on old.number = new.number
    )`
  for (const [table, columns] of [
    ['shape_hours', shapeHourColumns],
    ['shape_day_hours', shapeDayColumns],
  ] as const) {
    const values = columns.map((name) =>
      name === 'shape_key' ? sql`names.new_key` : sql`sums.${identifier(name)}`,
    )
    await facts.add(region.scope, table, {
      columns,
      rows: sql`
        select ${joinSql(values, ', ')}
        from ${latest(table)} as sums
        join ${names} as names on sums.shape_key = names.old_key
        where sums.region_id = ${regionId}`,
      ...queryOptions,
    })
  }
}

/** Finds the local days that contain hours (ms), and the time range of these days. */
function findLocalDays({ timezone }: CubeRegion, hours: readonly number[]) {
  const clock = civilClock(timezone)
  const days = [...new Set(hours.map((hour) => clock.local(hour).day))]
  const firstDay = Math.min(...days)
  const lastDay = Math.max(...days)
  const from = clock.instant(firstDay, 0).ms
  return { days, firstDay, lastDay, from, until: clock.instant(lastDay + 1, 0).ms }
}

/** Stores a list of shapes unless it exists. Returns its id. */
async function storeShapeList(
  facts: Facts,
  { regionId, scope }: CubeRegion,
  shapes: readonly KeyedShape[],
): Promise<string> {
  const listId = hashShapeList(shapes)
  const [stored] = await facts.rows<{ n: string }>(
    scope,
    sql`
      select uniqExact(number) as n
      from ${factTable('cube_shapes')}
      where region_id = ${bind('String', regionId)} and list_id = ${bind('UUID', listId)}`,
  )
  if (Number(stored?.n) !== shapes.length)
    await facts.insert(scope, 'cube_shapes', {
      columns: ['region_id', 'list_id', 'number', 'shape_key'],
      regionId,
      lines: Buffer.from(
        shapes.map(({ number, key }) => `${regionId}\t${listId}\t${number}\t${key}\n`).join(''),
      ),
    })
  return listId
}
