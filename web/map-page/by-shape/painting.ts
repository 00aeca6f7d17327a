import type { LegendRow } from '#web/charts/bin-legend.tsx'
import type { ShapeClass } from '#web/map/layers/shape-values.ts'

/** The colors of shapes, and their legend. */
export interface Painting {
  classes: ReadonlyMap<string, ShapeClass>
  /** Indexed by class. */
  colors: readonly string[]
  legend: readonly LegendRow[]
}
