import type { Shape, ShapeVersion } from '#contract/geography.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findConflicts, sayConflict } from './edit/find-conflicts.ts'
import { lockEditable } from './edit/lock-layer.ts'
import type { KnownShape } from './edit/shape-edit.ts'
import { geometryColumns, type KeptOfShape, laterThan } from './edit/shape-row.ts'
import { type Editing, storeChanged } from './edit/store-edits.ts'
import { writeVersions } from './edit/write-versions.ts'
import { shapeHistory } from './find-history.ts'
import { findShape } from './find-shapes.ts'
import { selectShapes } from './select-rows.ts'
import { summarizeLayer } from './summarize-layer.ts'

/** Brings a deleted shape back under its id, at its place in the layer, as it was in a version. */
async function reinsertShape(
  { store, regionId, layerId, by, at }: Editing,
  shapeId: string,
  { shape_name: name, shape_description: description, geom }: ShapeVersion,
): Promise<void> {
  const last = await store
    .selectFrom('shape_version')
    .selectAll()
    .where('shape_uuid', '=', shapeId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const retained = last.kept as KeptOfShape
  const time = laterThan(last.valid_from, at)
  const columns = geometryColumns(geom)
  await store
    .insertInto('shape')
    .values({
      shape_uuid: shapeId,
      region_id: regionId,
      layer_id: layerId,
      position: retained.position,
      shape_id: retained.shape_id,
      name,
      description,
      ...columns,
      properties: JSON.stringify(retained.properties),
      side_of_street: retained.side_of_street,
      created_time: retained.created_time,
      modified_time: time,
      modified_by: by,
    })
    .execute()
  const changes: ShapeVersion['changes'] = [
    ...(name === last.name ? [] : ['name' as const]),
    ...(description === last.description ? [] : ['description' as const]),
    'geometry',
  ]
  await writeVersions(store, { regionId, layerId, by }, [
    { id: shapeId, act: 'restored', changes, name, description, geometry: columns.geometry, at: time },
  ])
}

/** Gives a shape back the name, description and geometry of a version; a deleted one is there again. */
export async function restoreShape(
  state: State,
  scope: Scope,
  regionId: string,
  shape: KnownShape,
  version: number,
  at: Date,
): Promise<Shape> {
  const { shape_uuid: id } = shape
  const wanted = (await shapeHistory(state, scope, regionId, id)).find((each) => each.version === version)
  if (!wanted) throw new Problem('not_found', `The history of this shape has no version ${version}.`)
  const { layer_id: layerId } = await state
    .as(scope)
    .selectFrom('shape_version')
    .select('layer_id')
    .where('shape_uuid', '=', id)
    .executeTakeFirstOrThrow()
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      await lockEditable(store, regionId, layerId)
      const row = await selectShapes(store).where('shape_uuid', '=', id).executeTakeFirst()
      const rows = new Map(row ? [[id, row]] : [])
      // Who restores a deleted shape has seen that it is gone.
      const [conflict] = row ? findConflicts({ changed: [shape], deleted: [] }, rows) : []
      if (conflict) throw new Problem('conflict', sayConflict(conflict), undefined, conflict.current)
      const editing: Editing = { store, regionId, layerId, by: scope.userId, at }
      if (row)
        await storeChanged(
          editing,
          [
            {
              shape_uuid: id,
              shape_name: wanted.shape_name,
              shape_description: wanted.shape_description,
              geom: wanted.geom,
            },
          ],
          rows,
          'restored',
        )
      else await reinsertShape(editing, id, wanted)
      await summarizeLayer(store, layerId, scope.userId, at)
    })
  return findShape(state, scope, regionId, id)
}
