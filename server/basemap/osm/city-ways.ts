import type { DrawnAs } from './drawn-as.ts'

/** A way that is drawn, or that belongs to an area that is. */
export interface CityWay {
  id: number
  /** Null: drawn only as a part of an area. */
  line: DrawnAs | null
  area: DrawnAs | null
  isCoast: boolean
  refs: number[]
}

/** An area of several ways. */
export interface CityArea {
  id: number
  area: DrawnAs
  ways: number[]
}
