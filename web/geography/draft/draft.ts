import type { Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'

/** What can be changed of a shape. */
export interface ShapeForm {
  name: string
  description: string | null
  geom: Geometry
}

/** A shape as somebody saw it stored. */
export interface StoredForm extends ShapeForm {
  modified_time: string
}

/** A shape that is created (no base), changed, or deleted (no now). */
export interface DraftShape {
  id: string
  base: StoredForm | null
  now: ShapeForm | null
}

/** What was changed in a layer and is not saved yet, by shape, in the order in which it was touched first. */
export type Draft = ReadonlyMap<string, DraftShape>

export const emptyDraft: Draft = new Map()

export const storedForm = (shape: Shape): StoredForm => ({
  name: shape.shape_name,
  description: shape.shape_description,
  geom: shape.geom,
  modified_time: shape.modified_time,
})

/** Ids of shapes that the server does not know yet. */
export const isNewId = (id: string): boolean => id.startsWith('new:')
export const nextNewId = (draft: Draft): string =>
  `new:${1 + Math.max(0, ...[...draft.keys()].filter(isNewId).map((id) => Number(id.slice(4))))}`

/** The draft with a shape changed; `base` is the shape as stored, null for a new one. Changed back to what is stored it is no change. */
export function putShape(draft: Draft, id: string, base: StoredForm | null, now: ShapeForm | null): Draft {
  const next = new Map(draft)
  const seen = draft.get(id)?.base ?? base
  const isNothing = now === null ? seen === null : seen !== null && partsChanged(seen, now).length === 0
  if (isNothing) next.delete(id)
  else next.set(id, { id, base: seen, now })
  return next
}

/** The draft without what was done to one shape. */
export function revertShape(draft: Draft, id: string): Draft {
  const next = new Map(draft)
  next.delete(id)
  return next
}

export type ShapePart = 'name' | 'description' | 'geometry'

/** In what two forms of a shape differ. */
export function partsChanged(base: ShapeForm, now: ShapeForm): ShapePart[] {
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

/** The list of what will be saved. */
export const changesOf = (draft: Draft): DraftChange[] =>
  [...draft.values()].map(({ id, base, now }) => ({
    id,
    name: (now ?? base)?.name ?? '',
    kind: base === null ? 'created' : now === null ? 'deleted' : 'changed',
    parts: base && now ? partsChanged(base, now) : [],
  }))
