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

/**
 * A shape that another user saved while it was being edited. `mine` is null if it was deleted here, `theirs`
 * if the other user deleted it.
 */
export interface Conflict {
  id: string
  base: StoredForm
  mine: ShapeForm | null
  theirs: StoredForm | null
}

/** Returns the server's conflicts, combined with the changes of the draft. */
export const toConflicts = (draft: Draft, { conflicts }: ShapeConflicts): Conflict[] =>
  conflicts.flatMap(({ shape_uuid, current }): Conflict[] => {
    const shape = draft.get(shape_uuid)
    return shape?.base
      ? [{ id: shape_uuid, base: shape.base, mine: shape.now, theirs: current && storedForm(current) }]
      : []
  })

/** Discards the user's changes; the shape is as the other user saved it. */
export const keepTheirs = (draft: Draft, { id }: Conflict): Draft => revertShape(draft, id)

/**
 * Applies the user's changes on top of the saved ones; a shape that the other user deleted is created again.
 */
export function keepMine(draft: Draft, { id, mine, theirs }: Conflict): Draft {
  const without = revertShape(draft, id)
  if (theirs !== null) return putShape(without, id, theirs, mine)
  return mine === null || isNewId(id) ? without : putShape(without, nextNewId(without), null, mine)
}
