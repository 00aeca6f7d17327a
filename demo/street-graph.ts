/** The connected street network. Nodes are junctions and dead ends. Lengths and positions are in meters. */
export interface StreetGraph {
  lon0: number
  lat0: number
  nodeX: Float64Array
  nodeY: Float64Array
  edges: StreetEdge[]
}

/** A stretch of street from one node to the next. */
export interface StreetEdge {
  from: number
  to: number
  length: number
  class: 'arterial' | 'collector' | 'local'
  /** Its district; undefined on bridges and outside of the city. */
  district: string | undefined
  isPark: boolean
  /** x, y, x, y... from `from` to `to`. */
  path: Float64Array
}
