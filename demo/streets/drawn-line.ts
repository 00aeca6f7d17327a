import type { StreetClass } from '../plan/road.ts'
import type { Point } from '../plane/point.ts'

/** A line of the map before the lines are knotted together: a street, or a shore, limit or frame that bounds areas only. */
export interface DrawnLine {
  kind: StreetClass | 'shore' | 'limit' | 'park'
  /** Lines with one key are one street. */
  key: string
  name: string
  bridge: boolean
  points: readonly Point[]
}
