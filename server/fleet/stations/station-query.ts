/** A time range of a report, ms, half open. `day` is the index of its day in the report. */
export interface Window {
  day: number
  from: number
  until: number
}

/** The stations and times of a report. */
export interface StationQuery {
  regionId: string
  /** Empty: all. */
  operators: readonly string[]
  /** In order, without overlaps, and not in the future. */
  windows: readonly Window[]
}
