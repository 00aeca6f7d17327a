/** The streets as one can ride along them. Nodes are junctions and ends; all hang together. Lengths and places in metres. */
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
