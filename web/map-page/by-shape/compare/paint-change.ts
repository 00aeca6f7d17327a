import type { TFunction } from 'i18next'
import { binEnds } from '#web/charts/bin-ends.ts'
import type { LegendRow } from '#web/charts/bin-legend.tsx'
import { findBinIndex, quantileBins } from '#contract/bins.ts'
import { spreadColors } from '#web/charts/spread-colors.ts'
import { formatInteger } from '#web/kit/format.ts'
import { type BinColors, valueOpacity } from '#web/kit/theme.ts'
import type { ShapeClass } from '#web/map/layers/shape-values.ts'
import type { EvaluationRow } from '../evaluation.ts'
import { formatChange } from '../format-value.ts'
import type { Painting } from '../painting.ts'

const bySide = 3

/**
 * Changes from less to more around an unchanged middle: the same number of bins of the same size on either side, so that equal colors mean
 * equal amounts. `digits`: decimals in the legend.
 */
export function paintChange(
  t: TFunction,
  rows: readonly EvaluationRow[],
  kind: 'change' | 'percent',
  scheme: BinColors,
  digits: number,
): Painting {
  const changes = rows.map((row): [string, number | null] => [row.id, row.compared?.[kind] ?? null])
  const bins = quantileBins(
    changes.flatMap(([, change]) => (change === null || change === 0 ? [] : [Math.abs(change)])),
    bySide,
  )
  const middle = bins.length
  const classOf = (change: number | null): ShapeClass =>
    change === null
      ? 'none'
      : change === 0
        ? middle
        : middle + Math.sign(change) * (Math.max(0, findBinIndex(Math.abs(change), bins)) + 1)
  const of = new Map(changes.map(([id, change]) => [id, classOf(change)]))
  const more = spreadColors(scheme.slice(bySide + 1), bins.length)
  const less = spreadColors(scheme.slice(0, bySide).toReversed(), bins.length).toReversed()
  const colors = [...less, scheme[bySide]!, ...more]

  const ends = binEnds(bins, digits === 0)
  const label = (at: number): string => {
    const end = ends[Math.abs(at - middle) - 1]
    if (!end) return t('evaluation:compare.unchanged')
    const [from, to] = [end.from, end.to].map((value) => formatChange(Math.sign(at - middle) * value, digits))
    return from === to ? from! : t('evaluation:compare.span', { from, to })
  }
  const members = (which: ShapeClass): string => {
    const count = [...of.values()].filter((each) => each === which).length
    return t('evaluation:legend.shapes', { count, shown: formatInteger(count) })
  }
  const legend = colors
    .map((color, at): LegendRow => ({
      key: String(at),
      label: label(at),
      members: members(at),
      swatch: { color, opacity: valueOpacity },
    }))
    .toReversed()
  const unknown: LegendRow[] = [...of.values()].includes('none')
    ? [{ key: 'none', label: t('evaluation:legend.none'), members: members('none'), swatch: 'none' }]
    : []
  return { of, colors, legend: [...legend, ...unknown] }
}
