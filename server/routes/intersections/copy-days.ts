import { bind, latest, sql } from '#server/stores/sql.ts'
import { type DayRange, type PendingDay, currentDays } from '../queries/shape-list-days.ts'
import { copiedRoutes, routeShapeColumns } from '../queries/route-shapes.ts'
import { splitIntoPortions } from './portions.ts'
import { intersectRoutes, markDays, type PreparationContext } from './prepare-days.ts'
import { growAreas, boxOfArea, type ShapeList } from './shape-list.ts'
import type { RouteIntersector } from './route-intersector.ts'

/** What became of an older list's shapes. */
interface ShapeListChange {
  /** New number of each shape of the older list, by its number minus one; 0 if it was deleted. */
  numbers: number[]
  /** Numbers of the shapes that are new. */
  added: Set<number>
}

/** Shapes are the same if their keys are. Null if that is ambiguous, because a key occurs twice. */
export function compareShapeLists(before: readonly string[], now: readonly string[]): ShapeListChange | null {
  const places = new Map(now.map((key, at) => [key, at + 1]))
  const old = new Set(before)
  if (places.size !== now.length || old.size !== before.length) return null
  return {
    numbers: before.map((key) => places.get(key) ?? 0),
    added: new Set(now.flatMap((key, at) => (old.has(key) ? [] : [at + 1]))),
  }
}

const limits = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }
/** With more new shapes than this, nearly every route is near one of them. */
const maxAddedShapes = 200

/**
 * Takes over what the layer's last list knows of days that are due, so that after a change of some shapes only the routes near new ones are held against
 * shapes again. Answers the days that are still due.
 */
export async function copyDays(
  context: PreparationContext,
  list: ShapeList,
  range: DayRange,
  pending: readonly PendingDay[],
  intersector: RouteIntersector,
): Promise<PendingDay[]> {
  const { facts, scope, regionId, listId } = context
  const fresh = new Map(pending.filter(({ since }) => since === '0').map((day) => [day.day, day]))
  if (!fresh.size) return [...pending]
  const [before] = await facts.rows<{ list_id: string; keys: string[] }>(
    scope,
    sql`select toString(list_id) as list_id, keys from ${latest('way_lists')} as list where region_id = ${bind('String', regionId)} and layer_id = ${bind('UUID', list.layerId)} and buffer = ${bind('Float64', list.buffer)} and list.list_id != ${bind('UUID', listId)} order by made_time desc limit 1`,
  )
  const change = before && compareShapeLists(before.keys, list.keys)
  if (!before || !change || change.added.size > maxAddedShapes) return [...pending]
  const days = (await facts.rows<{ day: string }>(scope, currentDays(range, before.list_id))).flatMap(
    ({ day }) => fresh.get(day) ?? [],
  )
  if (!days.length) return [...pending]
  const boxes = (await growAreas(list, change.added)).map(boxOfArea)
  await facts.add(
    scope,
    'way_shapes',
    routeShapeColumns,
    copiedRoutes({ regionId, days, boxes }, listId, before.list_id, change.numbers),
    limits,
  )
  if (boxes.length)
    for (const portion of splitIntoPortions(days)) await intersectRoutes(context, portion, intersector, boxes)
  await markDays(context, days)
  const copied = new Set(days)
  return pending.filter((day) => !copied.has(day))
}
