/** The connected street network. Nodes are junctions and dead ends. Lengths and positions are in meters. */
export interface StreetGraph {
  /** Degrees of the point from which meters are counted. */
  lon0: number
  lat0: number
  nodeX: Float64Array
  nodeY: Float64Array
  edges: StreetEdge[]
}

/** A stretch of street from one node to the next. */
export interface StreetEdge {
  /** Indexes of its nodes. */
  from: number
  to: number
  length: number
  class: 'arterial' | 'collector' | 'local'
  /** Its district; undefined on bridges and outside of the city. */
  district: string | undefined
  isPark: boolean
  /** Positions x, y, x, y, ... along the street, from the node `from` to the node `to`. */
  path: Float64Array
}
