import type { TFunction } from 'i18next'
import { compareValues } from './compare/compare-evaluations.ts'
import type { Comparison } from './compare/comparison.ts'
import type { Evaluation } from './evaluation.ts'
import { formatChange, formatValue, isCountUnit } from './format-value.ts'

/** A number below the bins of a legend, as text. */
export interface LegendFigure {
  key: string
  label: string
  value: string
}

/**
 * Returns the figures below the bins: the value outside of all shapes, and the total of the region, labeled
 * "citywide" if shapes cannot be summed (`sum` is null). Side by side, also the earlier total.
 * @param layerName as written within a sentence
 */
export function getLegendFigures(
  t: TFunction,
  evaluation: Evaluation,
  comparison: Comparison | null,
  layerName: string,
): LegendFigure[] {
  const { notInShape, total, sum, unit } = evaluation
  const earlier = comparison?.before
  // Side by side, each map shows its own values; otherwise the map shows changes.
  const showsChanges = comparison !== null && comparison.kind !== 'side'
  const format = (now: number | null, before: number | null | undefined): string => {
    if (!showsChanges) return formatValue(now, unit)
    const { percent, change } = compareValues(now, before ?? null)
    return comparison.kind === 'percent'
      ? formatChange(percent, 1)
      : formatChange(change, isCountUnit(unit) ? 0 : 1)
  }
  const totalKey = sum ? 'total' : 'citywide'
  const figures: LegendFigure[] = []
  if (notInShape)
    figures.push({
      key: 'outside',
      label: t('evaluation:legend.notInShape', { layer: layerName }),
      value: format(notInShape.value, earlier?.notInShape?.value),
    })
  figures.push({
    key: 'total',
    label: t(`evaluation:legend.${totalKey}`),
    value: format(total, earlier?.total),
  })
  if (earlier && !showsChanges)
    figures.push({
      key: 'before',
      label: t(`evaluation:compare.${totalKey}Before`),
      value: formatValue(earlier.total, unit),
    })
  return figures
}
