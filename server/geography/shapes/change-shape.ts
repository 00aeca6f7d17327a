import type { Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { applyEdits, type ConflictsToProblem } from './edit/apply-edits.ts'
import { describeConflict } from './edit/find-conflicts.ts'
import { repairSubmitted } from './edit/repair-submitted.ts'
import type { KnownShape, NewShape, ShapeEdit } from './edit/shape-edit.ts'
import { findShape, findLayerOfShape } from './find-shapes.ts'

/** Repairs a submitted geometry. Throws a validation Problem if nothing usable remains. */
function repairGeometry(submitted: Geometry): Geometry {
  const repaired = repairSubmitted(submitted)
  if ('fault' in repaired)
    throw new Problem('validation_error', `body.geom: ${repaired.fault}`, [
      { path: 'body.geom', message: repaired.fault },
    ])
  return repaired.geometry
}

/** Converts the conflict of a single shape to a Problem with its current state. */
const toConflictProblem: ConflictsToProblem = ([conflict]) =>
  new Problem('conflict', conflict ? describeConflict(conflict) : '', undefined, conflict?.current ?? null)

/** Adds a shape to a layer. */
export async function createShape(
  state: State,
  scope: Scope,
  regionId: string,
  shape: NewShape & { shape_layer_uuid: string },
  at: Date,
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
  scope: Scope,
  regionId: string,
  change: ShapeEdit,
  at: Date,
): Promise<Shape> {
  const layerId = await findLayerOfShape(state.as(scope), regionId, change)
  const repaired = { ...change, geom: change.geom && repairGeometry(change.geom) }
  const edits = { created: [], changed: [repaired], deleted: [] }
  await applyEdits(state, scope, { regionId, layerId, edits, at }, toConflictProblem)
  return findShape(state.as(scope), regionId, change.shape_uuid)
}

/** Deletes a shape; its history is retained. */
export async function deleteShape(
  state: State,
  scope: Scope,
  regionId: string,
  shape: KnownShape,
  at: Date,
): Promise<number> {
  const layerId = await findLayerOfShape(state.as(scope), regionId, shape)
  const edits = { created: [], changed: [], deleted: [shape] }
  await applyEdits(state, scope, { regionId, layerId, edits, at }, toConflictProblem)
  return 1
}
