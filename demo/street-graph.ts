/** The street network. Nodes are junctions and dead ends; the graph is connected. Lengths and positions are in meters. */
export interface StreetGraph {
  lon0: number
  lat0: number
  nodeX: Float64Array
  nodeY: Float64Array
  edges: StreetEdge[]
}

/** A street from one junction to the next. */
export interface StreetEdge {
  from: number
  to: number
  length: number
  class: 'arterial' | 'collector' | 'local'
  /** The district it lies in; undefined on bridges and outside the city. */
  district: string | undefined
  isPark: boolean
  /** x, y, x, y... from `from` to `to`. */
  path: Float64Array
}
