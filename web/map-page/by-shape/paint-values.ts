import type { TFunction } from 'i18next'
import type { Bin } from '#contract/bins.ts'
import { spreadColors } from '#web/charts/spread-colors.ts'
import { computeBinEnds, computeLimitDigits } from '#web/charts/bin-ends.ts'
import type { LegendRow } from '#web/charts/bin-legend.tsx'
import { formatInteger } from '#web/kit/format.ts'
import { valueOpacity } from '#web/kit/theme.ts'
import { classify, type Classification } from './classify.ts'
import type { Evaluation } from './evaluation.ts'
import type { Painting } from './painting.ts'
import { formatLimit, isCountUnit } from './format-value.ts'

interface LegendInput {
  classified: Classification
  colors: readonly string[]
  unit: Evaluation['unit']
  /** The bins of the earlier map beside it; null without one. */
  before: Classification | null
}

/** Returns the rows of the legend, highest bin first; zero and "no data" only if the map has them. */
function legendRows(t: TFunction, { classified, colors, unit, before }: LegendInput): LegendRow[] {
  const formatMembers = (count: number, earlierCount: number | undefined): string =>
    earlierCount === undefined
      ? t('evaluation:legend.shapes', { count, shown: formatInteger(count) })
      : t('evaluation:legend.beside', { now: formatInteger(count), before: formatInteger(earlierCount) })
  const ends = computeBinEnds(classified.bins, isCountUnit(unit))
  const digits = computeLimitDigits(ends, 1)
  const bins = classified.bins.map((bin, index): LegendRow => {
    const [from, to] = [ends[index]!.from, ends[index]!.to].map((limit) =>
      formatLimit(limit, unit, digits.get(limit)),
    )
    return {
      key: String(index),
      label: from === to ? from! : `${from} – ${to}`,
      members: formatMembers(bin.count, before?.bins[index]?.count),
      swatch: { color: colors[index]!, opacity: valueOpacity },
    }
  })
  return [
    ...bins.toReversed(),
    ...(classified.zeros > 0 || before?.zeros
      ? [
          {
            key: 'zero',
            label: t('evaluation:legend.zero'),
            members: formatMembers(classified.zeros, before?.zeros),
            swatch: 'zero' as const,
          },
        ]
      : []),
    ...(classified.none > 0 || before?.none
      ? [
          {
            key: 'none',
            label: t('evaluation:legend.none'),
            members: formatMembers(classified.none, before?.none),
            swatch: 'none' as const,
          },
        ]
      : []),
  ]
}

const classifyRows = (rows: Evaluation['rows'], bins: readonly Bin[] | undefined) =>
  classify(new Map(rows.map((row) => [row.id, row.value])), bins)

interface PaintOptions {
  /** Bins that several evaluations share; by default those of the values. */
  bins?: readonly Bin[] | undefined
  /** The evaluation of the map beside it, whose shapes the legend counts too. */
  before?: Pick<Evaluation, 'rows'> | undefined
}

/** Colors shapes from low to high values. */
export function paintValues(
  t: TFunction,
  { rows, unit }: Pick<Evaluation, 'rows' | 'unit'>,
  ramp: readonly string[],
  { bins, before }: PaintOptions = {},
): Painting {
  const classified = classifyRows(rows, bins)
  const colors = spreadColors(ramp, classified.bins.length)
  return {
    binById: classified.byShape,
    colors,
    legend: legendRows(t, {
      classified,
      colors,
      unit,
      before: before ? classifyRows(before.rows, bins) : null,
    }),
  }
}
