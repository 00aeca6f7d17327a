/** How the values of a chart are written. */
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
  /** Every so many positions have their label on the axis; by default as many as fit. */
  labelEvery?: number | undefined
  /** Index of the position that is not over yet, so that its values still grow. */
  unfinished?: number | undefined
}

export interface ChartSeries {
  key: string
  name: string
  /** Color of an operator; by default the next color of the palette. */
  color?: string | undefined
  /** What the others are held against: a dashed line. */
  isLimit?: true
  /** A value for each position. Null is unknown and is drawn as a gap, never as zero. */
  values: readonly (number | null)[]
}

/** Values along an axis. Bars of several series are side by side (`bar`) or on top of each other (`stacked-bar`); `ranked-bar` has names below each other. */
export interface SeriesChart {
  kind: 'line' | 'bar' | 'stacked-bar' | 'ranked-bar'
  axis: ChartAxis
  series: readonly ChartSeries[]
  /** The same series in the period before, position by position. */
  before?: { name: string; series: readonly ChartSeries[] } | undefined
}

/** A value for each hour of each weekday: seven rows, Monday first, of 24 values. */
export interface HeatCalendarChart {
  kind: 'heat-calendar'
  values: readonly (readonly (number | null)[])[]
  /** Monday 1 to Sunday 7, and hours that are shown; all if absent. */
  days?: readonly number[] | undefined
  hours?: readonly number[] | undefined
}

/** How many members have which value. `from` is inclusive, `to` exclusive; a last bin without `to` has no end. */
export interface HistogramChart {
  kind: 'histogram'
  /** What is counted in the bins, such as "Trip distance". */
  value: { title: string; unit: ChartUnit }
  bins: readonly { from: number; to: number | null; count: number }[]
  mean: number | null
  median: number | null
}

export interface BoxGroup {
  key: string
  name: string
  color?: string | undefined
  /** How many members the group has. Null: nothing is known of it. */
  n: number
  spread: { min: number; lower: number; median: number; upper: number; max: number } | null
}

/** The spread of values by group: minimum, quartiles and maximum. */
export interface BoxChart {
  kind: 'box'
  axisTitle: string
  /** What `max` is: the 90th percentile where single extremes would leave no room for the rest. */
  upperEnd?: 'maximum' | 'p90'
  groups: readonly BoxGroup[]
}

export type Chart = SeriesChart | HeatCalendarChart | HistogramChart | BoxChart

/** A row of the table that shows the values of a chart. */
export interface ChartRow {
  key: string
  cells: readonly (string | number | null)[]
}

export interface ChartColumn {
  title: string
  /** Null for texts. */
  unit: ChartUnit | null
}
