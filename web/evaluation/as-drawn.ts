import type { Layer } from '#contract/geography.ts'
import type { LegendRow } from '#web/charts/bin-legend.tsx'
import { stackedOpacity } from '#web/kit/theme.ts'
import type { Painting } from './painting.ts'

/** The legend in the strength in which the layer is drawn: what lies under an area shows through it, less so where areas lie over each other; lines and points are drawn in full. */
export function asDrawn(
  painting: Painting,
  geometry: Layer['geometry_type'] | undefined,
  isStacked = false,
): Painting {
  const opacity = geometry === 'line' || geometry === 'point' ? 1 : isStacked ? stackedOpacity.usual : null
  if (opacity === null) return painting
  const inStrength = (row: LegendRow): LegendRow =>
    typeof row.swatch === 'string' ? row : { ...row, swatch: { ...row.swatch, opacity } }
  return { ...painting, legend: painting.legend.map(inStrength) }
}
