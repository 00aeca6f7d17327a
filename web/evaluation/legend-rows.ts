import type { TFunction } from 'i18next'
import { binEnds } from '#web/charts/bin-ends.ts'
import type { LegendRow } from '#web/charts/bin-legend.tsx'
import { formatWhole } from '#web/kit/format.ts'
import { fillOpacity } from '#web/kit/theme.ts'
import type { Classes } from './classify.ts'
import type { Evaluation } from './evaluation.ts'
import { formatValue } from './format-value.ts'

/** The legend's rows, the highest bin first; zero and "no data" only where the map has them. */
export function legendRows(t: TFunction, classes: Classes, colors: readonly string[], unit: Evaluation['unit']): LegendRow[] {
  const members = (count: number): string => t('evaluation:legend.shapes', { count, shown: formatWhole(count) })
  const ends = binEnds(classes.bins, unit === 'count')
  const bins = classes.bins.map((bin, at): LegendRow => {
    const [from, to] = [formatValue(ends[at]!.from, unit), formatValue(ends[at]!.to, unit)]
    return { key: String(at), label: from === to ? from : `${from} – ${to}`, members: members(bin.count), swatch: { color: colors[at]!, opacity: fillOpacity.usual } }
  })
  return [
    ...bins.toReversed(),
    ...(classes.zeros > 0 ? [{ key: 'zero', label: t('evaluation:legend.zero'), members: members(classes.zeros), swatch: 'zero' as const }] : []),
    ...(classes.none > 0 ? [{ key: 'none', label: t('evaluation:legend.none'), members: members(classes.none), swatch: 'none' as const }] : []),
  ]
}
