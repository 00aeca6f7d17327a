import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { dataColors, type BinColors, type Scheme } from '#web/kit/theme.ts'
import type { LegendRow } from '#web/charts/bin-legend.tsx'
import { computeBins } from './classify.ts'
import { paintChange } from './compare/paint-change.ts'
import type { Evaluation } from './evaluation.ts'
import { isCountUnit } from './format-value.ts'
import { paintValues } from './paint-values.ts'
import type { Painting } from './painting.ts'
import { getShownChange, type ShownMap } from './shown-map.ts'

/** Gives the legend the opacity of the layer: areas are transparent, lines and points are opaque. */
export function withLayerOpacity(painting: Painting, geometry: Layer['geometry_type'] | undefined): Painting {
  if (geometry !== 'line' && geometry !== 'point') return painting
  const opaque = (row: LegendRow): LegendRow =>
    typeof row.swatch === 'string' ? row : { ...row, swatch: { ...row.swatch, opacity: 1 } }
  return { ...painting, legend: painting.legend.map(opaque) }
}

interface Paintings {
  /** Colors of the current period. */
  now: Painting
  /** Colors of the earlier period, if both are shown side by side. */
  before: Painting | null
}

/** The colors of a map: of values, of changes, of two periods side by side, or of one step of a playback. */
export function usePainting(
  { layer, comparison, playing }: Pick<ShownMap, 'layer' | 'comparison' | 'playing'>,
  shownEvaluation: Evaluation | null,
  ramp: BinColors,
  scheme: Scheme,
): Paintings {
  const { t } = useTranslation()
  const geometry = layer?.geometry_type
  return useMemo(() => {
    const evaluation = shownEvaluation ?? { rows: [], unit: 'trips' as const }
    const change = getShownChange({ comparison })
    if (change)
      return {
        now: withLayerOpacity(
          paintChange(t, evaluation.rows, {
            kind: change,
            scheme: dataColors[scheme].diverging,
            digits: change === 'change' && isCountUnit(evaluation.unit) ? 0 : 1,
          }),
          geometry,
        ),
        before: null,
      }
    if (!comparison)
      return {
        now: withLayerOpacity(paintValues(t, evaluation, ramp, { bins: playing?.playback.bins }), geometry),
        before: null,
      }
    const bins = computeBins([...evaluation.rows, ...comparison.before.rows].map((row) => row.value))
    return {
      now: withLayerOpacity(paintValues(t, evaluation, ramp, { bins, before: comparison.before }), geometry),
      before: paintValues(t, comparison.before, ramp, { bins }),
    }
  }, [t, shownEvaluation, geometry, comparison, playing, ramp, scheme])
}
