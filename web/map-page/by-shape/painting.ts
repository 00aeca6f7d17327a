import type { LegendRow } from '#web/charts/bin-legend.tsx'
import type { ShapeClass } from '#web/map/layers/shape-values.ts'

/** The colors of shapes, and their legend. */
export interface Painting {
  of: ReadonlyMap<string, ShapeClass>
  /** By class. */
  colors: readonly string[]
  legend: readonly LegendRow[]
}
