import type { Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'

/** The editable fields of a shape. */
export interface ShapeForm {
  name: string
  description: string | null
  geom: Geometry
}

/** A shape as stored when it was loaded. */
export interface StoredForm extends ShapeForm {
  modified_time: string
}

/** A shape that is created (`base` is null), changed, or deleted (`now` is null). */
export interface DraftShape {
  id: string
  base: StoredForm | null
  now: ShapeForm | null
}

/** Unsaved changes of a layer by shape ID, in the order of the first change. */
export type Draft = ReadonlyMap<string, DraftShape>

export const emptyDraft: Draft = new Map()

/** Converts a stored shape to its editable fields. */
export const storedForm = (shape: Shape): StoredForm => ({
  name: shape.shape_name,
  description: shape.shape_description,
  geom: shape.geom,
  modified_time: shape.modified_time,
})

const newIdPrefix = 'new:'

/** Whether a shape is not stored yet. */
export const isNewId = (id: string): boolean => id.startsWith(newIdPrefix)

/** Returns the id of the next new shape: `new:1`, `new:2`. */
export function nextNewId(draft: Draft): string {
  const numbers = [...draft.keys()].filter(isNewId).map((id) => Number(id.slice(newIdPrefix.length)))
  return `${newIdPrefix}${1 + Math.max(0, ...numbers)}`
}

/**
 * Returns the draft with a changed shape; `base` is the stored shape, null for a new one. A shape that equals the
 * stored one is removed from the draft.
 */
export function putShape(draft: Draft, id: string, base: StoredForm | null, now: ShapeForm | null): Draft {
  const next = new Map(draft)
  const firstBase = draft.get(id)?.base ?? base
  const isUnchanged =
    now === null ? firstBase === null : firstBase !== null && findChangedParts(firstBase, now).length === 0
  if (isUnchanged) next.delete(id)
  else next.set(id, { id, base: firstBase, now })
  return next
}

/** Returns the draft without the changes of one shape. */
export function revertShape(draft: Draft, id: string): Draft {
  const next = new Map(draft)
  next.delete(id)
  return next
}

export type ShapePart = 'name' | 'description' | 'geometry'

/** Returns the parts in which two versions of a shape differ. */
export function findChangedParts(base: ShapeForm, now: ShapeForm): ShapePart[] {
  const parts: [ShapePart, boolean][] = [
    ['name', base.name !== now.name],
    ['description', (base.description ?? '') !== (now.description ?? '')],
    ['geometry', base.geom !== now.geom && JSON.stringify(base.geom) !== JSON.stringify(now.geom)],
  ]
  return parts.filter(([, differs]) => differs).map(([part]) => part)
}

export interface DraftChange {
  id: string
  name: string
  kind: 'created' | 'changed' | 'deleted'
  parts: ShapePart[]
}

/** Lists the changes that will be saved. */
export const listChanges = (draft: Draft): DraftChange[] =>
  [...draft.values()].map(({ id, base, now }) => ({
    id,
    name: (now ?? base)?.name ?? '',
    kind: getChangeKind({ base, now }),
    parts: base && now ? findChangedParts(base, now) : [],
  }))

/** Returns whether a shape is created, changed or deleted. */
export function getChangeKind({ base, now }: Pick<DraftShape, 'base' | 'now'>): DraftChange['kind'] {
  if (base === null) return 'created'
  return now === null ? 'deleted' : 'changed'
}
