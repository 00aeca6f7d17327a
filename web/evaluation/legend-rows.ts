import type { TFunction } from 'i18next'
import { binEnds } from '#web/charts/bin-ends.ts'
import type { LegendRow } from '#web/charts/bin-legend.tsx'
import { formatWhole } from '#web/kit/format.ts'
import { fillOpacity } from '#web/kit/theme.ts'
import type { Classes } from './classify.ts'
import type { Evaluation } from './evaluation.ts'
import { formatValue, isWhole } from './format-value.ts'

/** The legend's rows, the highest bin first; zero and "no data" only where the map has them. `before`: of the same bins, what the map beside it counts. */
export function legendRows(
  t: TFunction,
  classes: Classes,
  colors: readonly string[],
  unit: Evaluation['unit'],
  before: Classes | null = null,
): LegendRow[] {
  const members = (count: number, earlier: number | undefined): string =>
    earlier === undefined
      ? t('evaluation:legend.shapes', { count, shown: formatWhole(count) })
      : t('evaluation:legend.beside', { now: formatWhole(count), before: formatWhole(earlier) })
  const ends = binEnds(classes.bins, isWhole(unit))
  const bins = classes.bins.map((bin, at): LegendRow => {
    const [from, to] = [formatValue(ends[at]!.from, unit), formatValue(ends[at]!.to, unit)]
    return {
      key: String(at),
      label: from === to ? from : `${from} – ${to}`,
      members: members(bin.count, before?.bins[at]?.count),
      swatch: { color: colors[at]!, opacity: fillOpacity.usual },
    }
  })
  return [
    ...bins.toReversed(),
    ...(classes.zeros > 0 || before?.zeros
      ? [
          {
            key: 'zero',
            label: t('evaluation:legend.zero'),
            members: members(classes.zeros, before?.zeros),
            swatch: 'zero' as const,
          },
        ]
      : []),
    ...(classes.none > 0 || before?.none
      ? [
          {
            key: 'none',
            label: t('evaluation:legend.none'),
            members: members(classes.none, before?.none),
            swatch: 'none' as const,
          },
        ]
      : []),
  ]
}
