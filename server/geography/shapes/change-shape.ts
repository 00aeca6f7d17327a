import type * as contract from '#contract/geography.ts'
import type { Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Call } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { applyEdits, type ConflictsToProblem } from './edit/apply-edits.ts'
import { describeConflict } from './edit/find-conflicts.ts'
import { repairSubmitted } from './edit/repair-submitted.ts'
import type { ShapeEdit } from './edit/shape-edit.ts'
import { findShape, findLayerIdOfShape } from './find-shapes.ts'

/** Repairs a submitted geometry. @throws Problem `validation_error` if nothing usable remains. */
function repairGeometry(submitted: Geometry): Geometry {
  const repaired = repairSubmitted(submitted)
  if ('problem' in repaired)
    throw new Problem('validation_error', `body.geom: ${repaired.problem}`, [
      { path: 'body.geom', message: repaired.problem },
    ])
  return repaired.geometry
}

/** Converts the conflict of a single shape to a Problem with its current state. */
const toConflictProblem: ConflictsToProblem = ([conflict]) =>
  new Problem('conflict', conflict ? describeConflict(conflict) : '', undefined, conflict?.current ?? null)

/** Creates a shape after repair of its geometry. @throws Problem `validation_error` if it is unusable. */
export async function createShape(
  state: State,
  { viewer: { scope }, params: { region_id: regionId }, body: shape, at }: Call<typeof contract.createShape>,
): Promise<Shape> {
  const edits = { created: [{ ...shape, geom: repairGeometry(shape.geom) }], changed: [], deleted: [] }
  const layerId = shape.shape_layer_uuid
  const {
    created: [id = ''],
  } = await applyEdits(state, scope, { regionId, layerId, edits, at }, toConflictProblem)
  return findShape(state.as(scope), regionId, id)
}

/** Renames a shape or replaces its geometry; earlier versions remain in the history. */
export async function changeShape(
  state: State,
  { viewer: { scope }, params, body, at }: Call<typeof contract.changeShape>,
): Promise<Shape> {
  const { region_id: regionId, shape_uuid } = params
  const change: ShapeEdit = { ...body, shape_uuid }
  const layerId = await findLayerIdOfShape(state.as(scope), regionId, change)
  const repaired = { ...change, geom: change.geom && repairGeometry(change.geom) }
  const edits = { created: [], changed: [repaired], deleted: [] }
  await applyEdits(state, scope, { regionId, layerId, edits, at }, toConflictProblem)
  return findShape(state.as(scope), regionId, change.shape_uuid)
}

/** Deletes a shape; its history is retained. Returns the number of deleted shapes, 1. */
export async function deleteShape(
  state: State,
  { viewer: { scope }, params, query, at }: Call<typeof contract.deleteShape>,
): Promise<number> {
  const { region_id: regionId, shape_uuid } = params
  const shape = { shape_uuid, if_modified_time: query.if_modified_time }
  const layerId = await findLayerIdOfShape(state.as(scope), regionId, shape)
  const edits = { created: [], changed: [], deleted: [shape] }
  await applyEdits(state, scope, { regionId, layerId, edits, at }, toConflictProblem)
  return 1
}
