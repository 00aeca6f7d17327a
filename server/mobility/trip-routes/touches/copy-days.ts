import { bind, latest, sql } from '#server/stores/sql.ts'
import { type DayRange, type DueDay, readyDays } from '../queries/way-days.ts'
import { copiedWays, wayShapeColumns } from '../queries/way-shapes.ts'
import { portionsOf } from './portions-of.ts'
import { holdWays, markDays, type Preparing } from './prepare-days.ts'
import { areasOf, boxOfArea, type WayList } from './way-list.ts'
import type { WayToucher } from './way-toucher.ts'

/** What became of an older list's shapes. */
interface ListChange {
  /** New number of each shape of the older list, by its number less one; 0: it is gone. */
  numbers: number[]
  /** Numbers of the shapes that are new. */
  added: Set<number>
}

/** Shapes are the same where their keys are. Null where that does not tell, as a key is there twice. */
export function compareLists(before: readonly string[], now: readonly string[]): ListChange | null {
  const places = new Map(now.map((key, at) => [key, at + 1]))
  const old = new Set(before)
  if (places.size !== now.length || old.size !== before.length) return null
  return {
    numbers: before.map((key) => places.get(key) ?? 0),
    added: new Set(now.flatMap((key, at) => (old.has(key) ? [] : [at + 1]))),
  }
}

const limits = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }
/** With more new shapes than this, nearly every way is near one of them. */
const mostAdded = 200

/**
 * Takes over what the layer's last list knows of days that are due, so that after a change of some shapes only the ways near new ones are held against
 * shapes again. Answers the days that are still due.
 */
export async function copyDays(
  preparing: Preparing,
  list: WayList,
  range: DayRange,
  due: readonly DueDay[],
  toucher: WayToucher,
): Promise<DueDay[]> {
  const { facts, scope, regionId, listId } = preparing
  const fresh = new Map(due.filter(({ since }) => since === '0').map((day) => [day.day, day]))
  if (!fresh.size) return [...due]
  const [before] = await facts.rows<{ list_id: string; keys: string[] }>(
    scope,
    sql`select toString(list_id) as list_id, keys from ${latest('way_lists')} as list where region_id = ${bind('String', regionId)} and layer_id = ${bind('UUID', list.layerId)} and buffer = ${bind('Float64', list.buffer)} and list.list_id != ${bind('UUID', listId)} order by made_time desc limit 1`,
  )
  const change = before && compareLists(before.keys, list.keys)
  if (!before || !change || change.added.size > mostAdded) return [...due]
  const days = (await facts.rows<{ day: string }>(scope, readyDays(range, before.list_id))).flatMap(
    ({ day }) => fresh.get(day) ?? [],
  )
  if (!days.length) return [...due]
  const boxes = (await areasOf(list, change.added)).map(boxOfArea)
  await facts.add(
    scope,
    'way_shapes',
    wayShapeColumns,
    copiedWays({ regionId, days, boxes }, listId, before.list_id, change.numbers),
    limits,
  )
  if (boxes.length) for (const portion of portionsOf(days)) await holdWays(preparing, portion, toucher, boxes)
  await markDays(preparing, days)
  const copied = new Set(days)
  return due.filter((day) => !copied.has(day))
}
