import type { restoreShape as contract } from '#contract/geography-history.ts'
import type { Shape, ShapeVersion } from '#contract/geography.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { findConflicts, describeConflict } from './edit/find-conflicts.ts'
import { lockEditable } from './edit/lock-layer.ts'
import type { KnownShape } from './edit/shape-edit.ts'
import { toGeometryColumns, type DeletedShapeColumns, getNextModifiedTime } from './edit/shape-row.ts'
import { type EditContext, storeChanged } from './edit/store-edits.ts'
import { writeVersions } from './edit/write-versions.ts'
import { findShapeHistory } from './find-history.ts'
import { findShape } from './find-shapes.ts'
import { selectShapes } from './read-shape.ts'
import { summarizeLayer } from '../layers/summarize-layer.ts'

/** Inserts a deleted shape again, with its id and position in the layer, in the state of a version. */
async function reinsertShape(
  { store, regionId, layerId, userId, at }: EditContext,
  shapeId: string,
  { shape_name: name, shape_description: description, geom }: ShapeVersion,
): Promise<void> {
  const lastVersion = await store
    .selectFrom('shape_version')
    .selectAll()
    .where('shape_uuid', '=', shapeId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  const deletedColumns = lastVersion.kept as DeletedShapeColumns
  const time = getNextModifiedTime(lastVersion.valid_from, at)
  const columns = toGeometryColumns(geom)
  await store
    .insertInto('shape')
    .values({
      shape_uuid: shapeId,
      region_id: regionId,
      layer_id: layerId,
      position: deletedColumns.position,
      shape_id: deletedColumns.shape_id,
      name,
      description,
      ...columns,
      properties: JSON.stringify(deletedColumns.properties),
      side_of_street: deletedColumns.side_of_street,
      created_time: deletedColumns.created_time,
      modified_time: time,
      modified_by: userId,
    })
    .execute()
  const changes: ShapeVersion['changes'] = [
    ...(name === lastVersion.name ? [] : ['name' as const]),
    ...(description === lastVersion.description ? [] : ['description' as const]),
    'geometry',
  ]
  await writeVersions(store, { regionId, layerId, userId }, [
    { id: shapeId, act: 'restored', changes, name, description, geometry: columns.geometry, at: time },
  ])
}

/** Restores the name, description and geometry of a version. Deleted shapes are created again. */
export async function restoreShape(
  state: State,
  { viewer: { scope }, params, body, at }: Call<typeof contract>,
): Promise<Shape> {
  const { region_id: regionId, shape_uuid: id } = params
  const shape: KnownShape = { shape_uuid: id, if_modified_time: body.if_modified_time }
  const versions = await findShapeHistory(state.as(scope), regionId, id)
  const version = versions.find((candidate) => candidate.version === body.version)
  if (!version) throw new Problem('not_found', `The history of this shape has no version ${body.version}.`)
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
      // A deleted shape cannot conflict: the user knows that it is deleted.
      const [conflict] = row ? findConflicts({ changed: [shape], deleted: [] }, rows) : []
      if (conflict) throw new Problem('conflict', describeConflict(conflict), undefined, conflict.current)
      const context: EditContext = { store, regionId, layerId, userId: scope.userId, at }
      if (row) {
        const { shape_name, shape_description, geom } = version
        const edit = { shape_uuid: id, shape_name, shape_description, geom }
        await storeChanged(context, [edit], rows, 'restored')
      } else await reinsertShape(context, id, version)
      await summarizeLayer(store, layerId, scope.userId, at)
    })
  return findShape(state.as(scope), regionId, id)
}
