import type { Geometry } from '#contract/place.ts'

/** A shape to be added; its geometry is sound. */
export interface NewShape {
  shape_name: string
  shape_description?: string | null | undefined
  geom: Geometry
}

/** A shape that the editor saw as it was at `if_modified_time`; without a time, as it is. */
export interface KnownShape {
  shape_uuid: string
  if_modified_time?: string | undefined
}

/** What is not given stays as it is. */
export interface ShapeEdit extends KnownShape, Partial<Pick<NewShape, 'shape_name' | 'shape_description'>> {
  geom?: Geometry | undefined
}

/** What is done to a layer's shapes together. */
export interface ShapeEdits {
  created: readonly NewShape[]
  changed: readonly ShapeEdit[]
  deleted: readonly KnownShape[]
}
