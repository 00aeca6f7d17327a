import type { Geometry } from '#contract/place.ts'

/** A part of a policy's scope as it is now: a shape, or the region's boundary. */
export interface PolicyShape {
  /** The shape's id, or `region`. */
  source: string
  shapeId: string | null
  name: string
  description: string | null
  type: 'policy_zone' | 'municipal_boundary'
  geometries: Geometry[]
}

/** The source of a region's boundary. */
export const regionSource = 'region'
