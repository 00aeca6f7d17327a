import type { TFunction } from 'i18next'
import { findBinIndex, computeQuantileBins } from '#contract/bins.ts'
import { computeBinEnds, computeLimitDigits } from '#web/charts/bin-ends.ts'
import type { LegendRow } from '#web/charts/bin-legend.tsx'
import { spreadColors } from '#web/charts/spread-colors.ts'
import { formatInteger } from '#web/kit/format.ts'
import { type BinColors, valueOpacity } from '#web/kit/theme.ts'
import type { ShapeBin } from '#web/map/layers/shape-values.ts'
import type { EvaluationRow } from '../evaluation.ts'
import { formatChange } from '../format-value.ts'
import type { Painting } from '../painting.ts'

/** Maximum number of bins on either side of "unchanged". */
const binsPerSide = 3

interface ChangeOptions {
  kind: 'change' | 'percent'
  /** Diverging colors: `binsPerSide` for decreases, one for "unchanged", `binsPerSide` for increases. */
  scheme: BinColors
  /** Decimals in the legend: 0 for counts; otherwise more are used where limits would look equal. */
  digits: number
}

/** Colors changes from less to more. Both sides have the same bins, so equally strong colors are equal amounts. */
export function paintChange(
  t: TFunction,
  rows: readonly EvaluationRow[],
  { kind, scheme, digits }: ChangeOptions,
): Painting {
  const changes = rows.map((row): [string, number | null] => [row.id, row.compared?.[kind] ?? null])
  const bins = computeQuantileBins(
    changes.flatMap(([, change]) => (change === null || change === 0 ? [] : [Math.abs(change)])),
    binsPerSide,
  )
  const middle = bins.length
  const getBin = (change: number | null): ShapeBin => {
    if (change === null) return 'none'
    if (change === 0) return middle
    // Bins of increases follow the middle, bins of decreases precede it, the largest decrease first.
    return middle + Math.sign(change) * (Math.max(0, findBinIndex(Math.abs(change), bins)) + 1)
  }
  const binById = new Map(changes.map(([id, change]) => [id, getBin(change)]))
  const increaseColors = spreadColors(scheme.slice(binsPerSide + 1), bins.length)
  const decreaseColors = spreadColors(scheme.slice(0, binsPerSide).toReversed(), bins.length).toReversed()
  const colors = [...decreaseColors, scheme[binsPerSide]!, ...increaseColors]
  const isCount = digits === 0
  const ends = computeBinEnds(bins, isCount)
  const getDigits = computeLimitDigits(ends, digits)
  const formatLabel = (index: number): string => {
    const end = ends[Math.abs(index - middle) - 1]
    if (!end) return t('evaluation:compare.unchanged')
    const [from, to] = [end.from, end.to].map((value) =>
      formatChange(Math.sign(index - middle) * value, isCount ? 0 : (getDigits.get(value) ?? digits)),
    )
    return from === to ? from! : t('evaluation:compare.span', { from, to })
  }
  const formatMembers = (shapeBin: ShapeBin): string => {
    const count = [...binById.values()].filter((value) => value === shapeBin).length
    return t('evaluation:legend.shapes', { count, shown: formatInteger(count) })
  }
  const legend = colors
    .map((color, index): LegendRow => ({
      key: String(index),
      label: formatLabel(index),
      members: formatMembers(index),
      swatch: { color, opacity: valueOpacity },
    }))
    .toReversed()
  const unknown: LegendRow[] = [...binById.values()].includes('none')
    ? [{ key: 'none', label: t('evaluation:legend.none'), members: formatMembers('none'), swatch: 'none' }]
    : []
  return { binById, colors, legend: [...legend, ...unknown] }
}
