import type { Store } from '#server/stores/state.ts'
import type { CubeLayerStatus } from './cube-layers.ts'

/** Progress of a layer's cubes. */
export interface CubeStatus {
  status: CubeLayerStatus
  problem: string | null
  /** Filled hours of the layer's past. */
  doneHours: number
  /** Hours to fill in total. */
  totalHours: number
  /** Time of the last progress; null: not started. */
  changedTime: string | null
}

/** Finds the progress of a layer's cubes for its current content. */
export async function findCubeStatus(
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
    status: row.status as CubeLayerStatus,
    problem: row.problem,
    doneHours: row.done_hours,
    totalHours: row.total_hours,
    changedTime: row.changed_time.toISOString(),
  }
}
