import type { Store } from '#server/stores/state.ts'
import type { CubeStatusWord } from './cube-layers.ts'

/** How far the cubes of a layer are. `waiting`: nothing of it is computed yet, `running`: its past is being filled, newest month first. */
export interface CubeStatus {
  status: CubeStatusWord
  problem: string | null
  /** Hours of the layer's past that are filled, of how many. */
  doneHours: number
  totalHours: number
  /** When it last came further; null: not taken up yet. */
  changedTime: string | null
}

/** How far the cubes of a layer are, of its content as it is now. */
export async function cubeStatus(
  store: Store,
  {
    shape_layer_uuid: layerId,
    content_hash: contentHash,
  }: { shape_layer_uuid: string; content_hash: string },
): Promise<CubeStatus> {
  const row = await store
    .selectFrom('cube_layer')
    .select(['status', 'problem', 'done_hours', 'total_hours', 'content_hash', 'changed_time'])
    .where('layer_id', '=', layerId)
    .executeTakeFirst()
  if (!row || (row.content_hash !== contentHash && row.status !== 'failed'))
    return { status: 'waiting', problem: null, doneHours: 0, totalHours: 0, changedTime: null }
  return {
    status: row.status as CubeStatusWord,
    problem: row.problem,
    doneHours: row.done_hours,
    totalHours: row.total_hours,
    changedTime: row.changed_time.toISOString(),
  }
}
