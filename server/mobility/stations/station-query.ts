/** A time that a report looks at, ms, half open. `day` is its position in the report. */
export interface Window {
  day: number
  from: number
  until: number
}

export interface StationQuery {
  regionId: string
  /** Empty: all. */
  operators: readonly string[]
  /** In order, without overlap, not empty, and none after now. */
  windows: readonly Window[]
}
