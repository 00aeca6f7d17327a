import type { Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { applyEdits, type TellConflicts } from './edit/apply-edits.ts'
import { sayConflict } from './edit/find-conflicts.ts'
import { mendGiven } from './edit/mend-given.ts'
import type { KnownShape, NewShape, ShapeEdit } from './edit/shape-edit.ts'
import { findShape, layerOfShape } from './find-shapes.ts'

/** A geometry that a person sent, repaired; nothing left is a fault. */
function repairGeometry(given: Geometry): Geometry {
  const mended = mendGiven(given)
  if ('fault' in mended)
    throw new Problem('validation_error', `body.geom: ${mended.fault}`, [
      { path: 'body.geom', message: mended.fault },
    ])
  return mended.geometry
}

/** The one shape is not as the editor saw it. */
const toConflictProblem: TellConflicts = ([conflict]) =>
  new Problem('conflict', conflict ? sayConflict(conflict) : '', undefined, conflict?.current ?? null)

/** Adds a shape to a layer. */
export async function createShape(
  state: State,
  scope: Scope,
  regionId: string,
  given: NewShape & { shape_layer_uuid: string },
  at: Date,
): Promise<Shape> {
  const {
    created: [id = ''],
  } = await applyEdits(
    state,
    scope,
    regionId,
    given.shape_layer_uuid,
    { created: [{ ...given, geom: repairGeometry(given.geom) }], changed: [], deleted: [] },
    at,
    toConflictProblem,
  )
  return findShape(state, scope, regionId, id)
}

/** Renames a shape or replaces its geometry; the earlier version stays in the history. */
export async function changeShape(
  state: State,
  scope: Scope,
  regionId: string,
  change: ShapeEdit,
  at: Date,
): Promise<Shape> {
  const layerId = await layerOfShape(state, scope, regionId, change)
  await applyEdits(
    state,
    scope,
    regionId,
    layerId,
    { created: [], changed: [{ ...change, geom: change.geom && repairGeometry(change.geom) }], deleted: [] },
    at,
    toConflictProblem,
  )
  return findShape(state, scope, regionId, change.shape_uuid)
}

/** Deletes a shape; its history stays. */
export async function deleteShape(
  state: State,
  scope: Scope,
  regionId: string,
  shape: KnownShape,
  at: Date,
): Promise<number> {
  const layerId = await layerOfShape(state, scope, regionId, shape)
  await applyEdits(
    state,
    scope,
    regionId,
    layerId,
    { created: [], changed: [], deleted: [shape] },
    at,
    toConflictProblem,
  )
  return 1
}
