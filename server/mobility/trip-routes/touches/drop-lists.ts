import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, latest, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'

/** Lists of one region that are kept: each holds a row a way. */
const mostLists = 16
/** Of one layer and buffer: as it is, and as it was before its last change. */
const mostVersions = 2

export interface MadeList {
  list_id: string
  layer_id: string
  buffer: number
}

/** The lists that need not be kept, of all by when they were made, the newest first. */
export function listsToDrop(
  lists: readonly MadeList[],
  layerIds: ReadonlySet<string>,
  most = mostLists,
): string[] {
  const versions = new Map<string, number>()
  let kept = 0
  return lists.flatMap(({ list_id: listId, layer_id: layerId, buffer }) => {
    const of = `${layerId} ${buffer}`
    const before = versions.get(of) ?? 0
    if (!layerIds.has(layerId) || before >= mostVersions || kept >= most) return [listId]
    versions.set(of, before + 1)
    kept++
    return []
  })
}

/** Removes what is known of lists that nobody is likely to ask for again: of layers that are gone, of before the last changes, and the oldest of too many. */
export async function dropLists(state: State, facts: Facts, scope: Scope, regionId: string): Promise<void> {
  const region = sql`region_id = ${bind('String', regionId)}`
  const lists = await facts.rows<MadeList>(
    scope,
    sql`select toString(list_id) as list_id, toString(layer_id) as layer_id, buffer from ${latest('way_lists')} where ${region} order by made_time desc`,
  )
  const layers = await state
    .as(scope)
    .selectFrom('layer')
    .select('layer_id')
    .where('region_id', '=', regionId)
    .execute()
  const gone = listsToDrop(lists, new Set(layers.map(({ layer_id: id }) => id)))
  if (!gone.length) return
  // Days first: without them nobody takes the rest for known.
  for (const table of ['way_days', 'way_shapes', 'way_lists'] as const)
    await facts.remove(scope, table, sql`${region} and list_id in ${bind('Array(UUID)', gone)}`)
}
