import type { Geometry } from '#contract/place.ts'

/** A shape to create, with a valid geometry. */
export interface NewShape {
  /** The id for shapes that the server writes; by default, a new id is created. */
  shape_uuid?: string
  shape_name: string
  shape_description?: string | null | undefined
  geom: Geometry
}

/** A shape as the user loaded it. Conflicts are checked if `if_modified_time` is given. */
export interface KnownShape {
  shape_uuid: string
  if_modified_time?: string | undefined
}

/** A change of a shape; omitted fields are not changed. */
export interface ShapeEdit extends KnownShape, Partial<Pick<NewShape, 'shape_name' | 'shape_description'>> {
  geom?: Geometry | undefined
}

/** Edits of a layer's shapes that are applied together. */
export interface ShapeEdits {
  created: readonly NewShape[]
  changed: readonly ShapeEdit[]
  deleted: readonly KnownShape[]
}
