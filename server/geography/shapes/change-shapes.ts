import type { changeShapes as contract, ChangeList } from '#contract/geography-history.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { Note } from '#contract/boundary-files.ts'
import type { Geometry } from '#contract/place.ts'
import { Problem } from '#server/http/problem.ts'
import type { ScopedCall } from '#server/http/route.ts'
import type { State } from '#server/stores/state.ts'
import { applyEdits, type ConflictsToProblem } from './edit/apply-edits.ts'
import { describeConflict } from './edit/find-conflicts.ts'
import { repairSubmitted } from './edit/repair-submitted.ts'
import { findLayer } from '../layers/find-layer.ts'
import { findShapesById } from './find-shapes.ts'

type FieldProblem = { path: string; message: string }

/** Repairs the geometries of one list; adds a problem for each that is unusable. */
function repairList<Edit extends { geom?: Geometry | undefined }>(
  list: ChangeList,
  edits: readonly Edit[],
  problems: FieldProblem[],
  notes: (Note & { list: ChangeList })[],
): Edit[] {
  return edits.map((edit, position) => {
    if (!edit.geom) return edit
    const repaired = repairSubmitted(edit.geom)
    if ('problem' in repaired) {
      problems.push({ path: `body.${list}.${position}.geom`, message: repaired.problem })
      return edit
    }
    for (const repair of repaired.repairs) notes.push({ list, position, ...repair })
    return { ...edit, geom: repaired.geometry }
  })
}

/** Converts the conflicts of a batch to a Problem with an issue for each edit. */
const toConflictProblem: ConflictsToProblem = (conflicts) => {
  const issues = conflicts.map((conflict) => ({
    path: `body.${conflict.list}.${conflict.position}`,
    message: describeConflict(conflict),
  }))
  const [first] = issues
  return new Problem(
    'conflict',
    conflicts.length === 1
      ? (first?.message ?? '')
      : `${conflicts.length} of these shapes were changed or deleted by others after you began. Nothing was saved.`,
    issues,
    { conflicts },
  )
}

/** Creates, changes and deletes shapes of a layer in one transaction. */
export async function changeShapes(
  state: State,
  {
    viewer: { scope },
    params: { region_id: regionId, shape_layer_uuid: layerId },
    body: changes,
    at,
  }: ScopedCall<typeof contract, 'params' | 'body' | 'at'>,
): Promise<EndpointOutput<typeof contract>> {
  await findLayer(state, scope, regionId, layerId)
  const problems: FieldProblem[] = []
  const notes: (Note & { list: ChangeList })[] = []
  const edits = {
    created: repairList('created', changes.created, problems, notes),
    changed: repairList('changed', changes.changed, problems, notes),
    deleted: changes.deleted,
  }
  if (problems.length)
    throw new Problem(
      'validation_error',
      `Nothing was saved. ${problems
        .slice(0, 5)
        .map(({ path, message }) => `${path}: ${message}`)
        .join(' ')}`,
      problems,
    )
  const { created } = await applyEdits(state, scope, { regionId, layerId, edits, at }, toConflictProblem)
  const changed = changes.changed.map(({ shape_uuid: id }) => id)
  const shapes = await findShapesById(state.as(scope), [...created, ...changed])
  const findStored = (ids: readonly string[]) => ids.flatMap((id) => shapes.get(id) ?? [])
  return {
    layer: await findLayer(state, scope, regionId, layerId),
    created: findStored(created),
    changed: findStored(changed),
    deleted: changes.deleted.map(({ shape_uuid: id }) => id),
    notes,
  }
}
