import { bind, latest, sql } from '#server/stores/sql.ts'
import { type DayRange, type PendingDay, currentDaysSql } from '../queries/shape-list-days.ts'
import { copiedRouteRows, routeShapeColumns } from '../queries/route-shapes.ts'
import { splitIntoPortions } from './portions.ts'
import { intersectRoutes, markDays, type PreparationContext } from './prepare-days.ts'
import { growAreas, getBoxOfArea, type ShapeList } from './shape-list.ts'
import type { RouteIntersector } from './route-intersector.ts'

/** The difference between an older and a newer list of shapes. Shapes are numbered from 1. */
interface ShapeListChange {
  /** The new number of each older shape (0: deleted), at the index of its old number minus one. */
  numbers: number[]
  /** Numbers of the shapes that are new. */
  added: Set<number>
}

/** Compares lists by the keys of their shapes; null if a key occurs twice, which makes the result ambiguous. */
export function compareShapeLists(
  previousKeys: readonly string[],
  currentKeys: readonly string[],
): ShapeListChange | null {
  const currentNumbers = new Map(currentKeys.map((key, index) => [key, index + 1]))
  const previousKeySet = new Set(previousKeys)
  if (currentNumbers.size !== currentKeys.length || previousKeySet.size !== previousKeys.length) return null
  return {
    numbers: previousKeys.map((key) => currentNumbers.get(key) ?? 0),
    added: new Set(currentKeys.flatMap((key, index) => (previousKeySet.has(key) ? [] : [index + 1]))),
  }
}

const queryOptions = { limits: { seconds: 600, memory: 4 * 2 ** 30 } }
/** With more new shapes than this, nearly every route is near one of them and copying saves nothing. */
const maxAddedShapes = 200

/**
 * Copies the results of the layer's previous list for pending days, so that after a change of some shapes
 * only the routes near new shapes are intersected. Returns the days that are still pending.
 */
export async function copyDays(
  context: PreparationContext,
  {
    list,
    range,
    pending,
    intersector,
  }: { list: ShapeList; range: DayRange; pending: readonly PendingDay[]; intersector: RouteIntersector },
): Promise<PendingDay[]> {
  const { facts, scope, regionId, listId } = context
  const uncomputedDays = new Map(pending.filter(({ since }) => since === '0').map((day) => [day.day, day]))
  if (!uncomputedDays.size) return [...pending]
  const [previousList] = await facts.rows<{ list_id: string; keys: string[] }>(
    scope,
    sql`
      select toString(list_id) as list_id, keys
      from ${latest('way_lists')} as list
      where
        region_id = ${bind('String', regionId)}
        and layer_id = ${bind('UUID', list.layerId)}
        and buffer = ${bind('Float64', list.buffer)}
        and list.list_id != ${bind('UUID', listId)}
      order by made_time desc
      limit 1`,
  )
  const change = previousList && compareShapeLists(previousList.keys, list.keys)
  if (!previousList || !change || change.added.size > maxAddedShapes) return [...pending]
  const days = (
    await facts.rows<{ day: string }>(scope, currentDaysSql(range, previousList.list_id))
  ).flatMap(({ day }) => uncomputedDays.get(day) ?? [])
  if (!days.length) return [...pending]
  const boxes = (await growAreas(list, change.added)).map(getBoxOfArea)
  await facts.add(scope, 'way_shapes', {
    columns: routeShapeColumns,
    rows: copiedRouteRows({ regionId, days, boxes }, listId, previousList.list_id, change.numbers),
    ...queryOptions,
  })
  if (boxes.length)
    for (const portion of splitIntoPortions(days)) await intersectRoutes(context, portion, intersector, boxes)
  await markDays(context, days)
  const copiedDays = new Set(days)
  return pending.filter((day) => !copiedDays.has(day))
}
