import type { Point } from '../plane/point.ts'

/** An area bounded by main roads, water and the city limit: what streets fill and neighbourhoods are made of. */
export interface Cell {
  rings: Point[][]
  inner: Point
  /** Square metres. */
  area: number
  kind: 'water' | 'outside' | 'park' | 'strip' | 'built'
  /** Place in the list of zones. */
  zone: number
}
