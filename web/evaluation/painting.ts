import type { LegendRow } from '#web/charts/bin-legend.tsx'
import type { ShapeClass } from '#web/map/layers/shape-values.ts'

/** How shapes are coloured, and what the legend says of it. */
export interface Painting {
  of: ReadonlyMap<string, ShapeClass>
  /** By class. */
  colors: readonly string[]
  legend: readonly LegendRow[]
}
