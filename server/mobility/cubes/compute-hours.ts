import type { Facts } from '#server/stores/facts.ts'
import { bind, facts, sql } from '#server/stores/sql.ts'
import { hourMs } from './cube-clock.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { shapeDayColumns, shapeHourColumns } from './cube-columns.ts'
import type { CubeRegion } from './cube-region.ts'
import { boxOfShapes, type KeyedShape, listIdOf, oneOfKey } from './layer-shapes.ts'
import { type DaysAsked, shapeDaysOf } from './queries/shape-days-of.ts'
import { type HoursAsked, shapeHoursOf, withdrawnHours } from './queries/shape-hours-of.ts'
import type { ReadyLayer } from './ready-layer.ts'

/** Some hours, by their begins in ms, or all of a time. */
export type Hours = readonly number[] | { from: number; until: number }

const limits = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }

/** Computes hours of some of a layer's shapes, and the days that they are in: new rows first, then those that were not found again are taken back. Repeated, nothing changes. */
export async function computeHours(
  store: Facts,
  region: CubeRegion,
  layer: ReadyLayer,
  wanted: readonly KeyedShape[],
  hours: Hours,
  version: bigint,
): Promise<void> {
  const shapes = oneOfKey(wanted)
  const isList = Array.isArray(hours)
  const list = isList ? (hours as readonly number[]) : null
  if (!shapes.length || list?.length === 0) return
  const { from, until } = list
    ? { from: Math.min(...list), until: Math.max(...list) + hourMs }
    : (hours as { from: number; until: number })
  const { regionId, scope, lostAfterHours, shift } = region
  const listId = await storeList(store, region, shapes)
  const asked: HoursAsked = {
    regionId,
    from,
    until,
    lostAfterHours,
    hours: list,
    shift,
    indexes: await layer.indexes(),
    listId,
    box: boxOfShapes(shapes),
    version,
  }
  if (asked.indexes.length)
    await store.add(scope, 'shape_hours', shapeHourColumns, shapeHoursOf(asked), limits)
  await store.add(scope, 'shape_hours', shapeHourColumns, withdrawnHours(asked), limits)
  const days = daysOf(region, list ?? [from, until - hourMs])
  const whole: DaysAsked = {
    regionId,
    timezone: region.timezone,
    ...(list
      ? days
      : { ...days, days: Array.from({ length: days.last - days.first + 1 }, (_, at) => days.first + at) }),
    listId,
    version,
  }
  await store.add(scope, 'shape_days', shapeDayColumns, shapeDaysOf(whole), limits)
}

/** The local days of some hours (ms), and from when to when they are. */
function daysOf({ timezone }: CubeRegion, hours: readonly number[]) {
  const clock = civilClock(timezone)
  const days = [...new Set(hours.map((hour) => clock.local(hour).day))]
  const [first, last] = [Math.min(...days), Math.max(...days)]
  return { days, first, last, from: clock.instant(first, 0).ms, until: clock.instant(last + 1, 0).ms }
}

/** Writes the list of shapes, where it is not there; answers its id. */
async function storeList(
  store: Facts,
  { regionId, scope }: CubeRegion,
  shapes: readonly KeyedShape[],
): Promise<string> {
  const listId = listIdOf(shapes)
  const [found] = await store.rows<{ n: string }>(
    scope,
    sql`select uniqExact(number) as n from ${facts('cube_shapes')} where region_id = ${bind('String', regionId)} and list_id = ${bind('UUID', listId)}`,
  )
  if (Number(found?.n) !== shapes.length)
    await store.insert(
      scope,
      'cube_shapes',
      ['region_id', 'list_id', 'number', 'shape_key'],
      regionId,
      Buffer.from(shapes.map(({ number, key }) => `${regionId}\t${listId}\t${number}\t${key}\n`).join('')),
    )
  return listId
}
