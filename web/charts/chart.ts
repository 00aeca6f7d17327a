/** Unit and format of the values of a chart. */
export interface ChartUnit {
  /** Unit on the axis, in the table and in downloads, such as "trips". */
  name: string
  format: (value: number | null) => string
}

/** Positions along the horizontal axis. */
interface ChartAxis {
  /** What the positions are, such as "Day". */
  title: string
  labels: readonly string[]
  /** Interval of labels on the axis, in positions; by default as many labels as fit. */
  labelInterval?: number | undefined
  /** Index of the position that is still in progress, such as today. */
  inProgressIndex?: number | undefined
  /** First day with data, as text, if the first position starts before it. */
  dataStart?: string | undefined
}

/** A line, or bars of one color. */
export interface ChartSeries {
  key: string
  name: string
  /** Color of an operator; by default the next color of the palette. */
  color?: string | undefined
  /** Whether the series is a limit for the others, drawn as a dashed line. */
  isLimit?: true
  /** A value for each position; null is unknown and drawn as a gap, never as zero. */
  values: readonly (number | null)[]
}

/** Values along an axis. Several bars are side by side (`bar`) or stacked; `ranked-bar` is horizontal. */
export interface SeriesChart {
  kind: 'line' | 'bar' | 'stacked-bar' | 'ranked-bar'
  axis: ChartAxis
  series: readonly ChartSeries[]
  /** The same series in the previous period, by position. */
  before?: { name: string; series: readonly ChartSeries[] } | undefined
}

/** A value for each hour of each weekday: seven rows, Monday first, of 24 values. */
export interface HeatCalendarChart {
  kind: 'heat-calendar'
  values: readonly (readonly (number | null)[])[]
  /** Shown days (Monday 1 to Sunday 7) and hours; all if absent. */
  days?: readonly number[] | undefined
  hours?: readonly number[] | undefined
}

/** Number of members by value. `from` is inclusive, `to` exclusive; a last bin without `to` is open. */
export interface HistogramChart {
  kind: 'histogram'
  /** What is counted in the bins, such as "Trip distance". */
  value: { title: string; unit: ChartUnit }
  bins: readonly { from: number; to: number | null; count: number }[]
  mean: number | null
  median: number | null
}

/** One box: the spread of the values of a group. */
export interface BoxGroup {
  key: string
  name: string
  color?: string | undefined
  /** Number of members of the group. */
  n: number
  /** Null if unknown. */
  spread: { min: number; lower: number; median: number; upper: number; max: number } | null
}

/** The spread of values by group: minimum, quartiles and maximum. */
export interface BoxChart {
  kind: 'box'
  axisTitle: string
  /** Meaning of `max`: the 90th percentile if single extremes would compress all other values. */
  upperEnd?: 'maximum' | 'p90'
  groups: readonly BoxGroup[]
}

export type Chart = SeriesChart | HeatCalendarChart | HistogramChart | BoxChart

/** A row of the table that shows the values of a chart. */
export interface ChartRow {
  key: string
  cells: readonly (string | number | null)[]
}

/** A column of the table that shows the values of a chart. */
export interface ChartColumn {
  title: string
  /** Unit of the values; null for texts. */
  unit: ChartUnit | null
}
