/** A time range of a report, ms, half open. `day` is its position in the report. */
export interface Window {
  day: number
  from: number
  until: number
}

export interface StationQuery {
  regionId: string
  /** Empty: all. */
  operators: readonly string[]
  /** In order, without overlap, not empty, and none in the future. */
  windows: readonly Window[]
}
