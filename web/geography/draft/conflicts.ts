import type { ShapeConflicts } from '#contract/geography-history.ts'
import {
  isNewId,
  nextNewId,
  putShape,
  revertShape,
  storedForm,
  type Draft,
  type ShapeForm,
  type StoredForm,
} from './draft.ts'

/** A shape that somebody else saved while it was edited here. `mine` is null where it was deleted here, `theirs` where it was deleted there. */
export interface Conflict {
  id: string
  base: StoredForm
  mine: ShapeForm | null
  theirs: StoredForm | null
}

/** What the server says was changed meanwhile, beside what was changed here. */
export const conflictsOf = (draft: Draft, { conflicts }: ShapeConflicts): Conflict[] =>
  conflicts.flatMap(({ shape_uuid, current }): Conflict[] => {
    const shape = draft.get(shape_uuid)
    return shape?.base
      ? [{ id: shape_uuid, base: shape.base, mine: shape.now, theirs: current && storedForm(current) }]
      : []
  })

/** What was done here is given up; the shape is as they saved it. */
export const keepTheirs = (draft: Draft, { id }: Conflict): Draft => revertShape(draft, id)

/** Applies the user's changes on top of the saved ones; a shape that others deleted is created again. */
export function keepMine(draft: Draft, { id, mine, theirs }: Conflict): Draft {
  const without = revertShape(draft, id)
  if (theirs !== null) return putShape(without, id, theirs, mine)
  return mine === null || isNewId(id) ? without : putShape(without, nextNewId(without), null, mine)
}
