import type { Geometry } from '#contract/place.ts'

/** The present geometry of a shape to which a policy applies, or of the region's boundary. */
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
