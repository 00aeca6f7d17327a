import type { LegendRow } from '#web/charts/bin-legend.tsx'
import type { ShapeBin } from '#web/map/layers/shape-values.ts'

/** The colors of shapes, and their legend. */
export interface Painting {
  binById: ReadonlyMap<string, ShapeBin>
  /** Indexed by bin. */
  colors: readonly string[]
  legend: readonly LegendRow[]
}
