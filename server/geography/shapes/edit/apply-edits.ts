import type { Selectable } from 'kysely'
import type { ShapeConflicts } from '#contract/geography-history.ts'
import type { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { selectShapes } from '../read-shape.ts'
import { summarizeLayer } from '../../layers/summarize-layer.ts'
import { findConflicts } from './find-conflicts.ts'
import { lockEditable } from './lock-layer.ts'
import type { ShapeEdits } from './shape-edit.ts'
import { storeChanged, storeDeleted, storeNew } from './store-edits.ts'

/** Edits of a layer's shapes, and their time. */
interface LayerEdits {
  regionId: string
  layerId: string
  edits: ShapeEdits
  at: Date
}

interface EditResult {
  /** Ids in the order of the edits. */
  created: string[]
  layer: Selectable<StateTables['layer']>
}

/** Converts conflicts to a Problem, which lists each edit of a batch, or contains a single shape. */
export type ConflictsToProblem = (conflicts: ShapeConflicts['conflicts']) => Problem

/** Applies edits to a layer's shapes in one transaction. Geometries must be valid (repair-submitted.ts). */
export async function applyEdits(
  state: State,
  scope: Scope,
  { regionId, layerId, edits, at }: LayerEdits,
  toProblem: ConflictsToProblem,
): Promise<EditResult> {
  return state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      const layer = await lockEditable(store, regionId, layerId)
      const ids = [...edits.changed, ...edits.deleted].map(({ shape_uuid: id }) => id)
      const storedRows = ids.length
        ? await selectShapes(store)
            .where('shape.layer_id', '=', layerId)
            .where('shape.shape_uuid', 'in', ids)
            .execute()
        : []
      const rows = new Map(storedRows.map((row) => [row.shape_uuid, row]))
      const conflicts = findConflicts(edits, rows)
      if (conflicts.length) throw toProblem(conflicts)
      const context = { store, regionId, layerId, userId: scope.userId, at }
      await storeDeleted(context, edits.deleted, rows)
      await storeChanged(context, edits.changed, rows)
      const created = await storeNew(context, edits.created)
      await summarizeLayer(store, layerId, scope.userId, at)
      return { created, layer }
    })
}
