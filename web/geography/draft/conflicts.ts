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

/** A shape that another user saved during editing. A side is null if it deleted the shape. */
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

/** Resolves a conflict by discarding this user's changes. */
export const resolveToTheirs = (draft: Draft, { id }: Conflict): Draft => revertShape(draft, id)

/** Resolves a conflict to this user's changes; a shape that the other user deleted is created again. */
export function resolveToMine(draft: Draft, { id, mine, theirs }: Conflict): Draft {
  const draftWithout = revertShape(draft, id)
  if (theirs !== null) return putShape(draftWithout, id, theirs, mine)
  return mine === null || isNewId(id)
    ? draftWithout
    : putShape(draftWithout, nextNewId(draftWithout), null, mine)
}
