import type { Geometry } from '#contract/place.ts'

/** A place that a policy stands on, as it is now: a shape, or the region's boundary. */
export interface Ground {
  /** The shape's id, or `region`. */
  source: string
  shapeId: string | null
  name: string
  description: string | null
  type: 'policy_zone' | 'municipal_boundary'
  geometries: Geometry[]
}

/** What the boundary of a region is known by. */
export const regionSource = 'region'
