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
 * @param layerName as in the middle of a sentence
 */
export function legendFigures(
  t: TFunction,
  evaluation: Evaluation,
  comparison: Comparison | null,
  layerName: string,
): LegendFigure[] {
  const { notInShape, total, sum, unit } = evaluation
  const totalKey = sum ? 'total' : 'citywide'
  const toFigure = (key: string, label: string, value: string): LegendFigure => ({ key, label, value })
  if (!comparison || comparison.kind === 'side')
    return [
      ...(notInShape
        ? [
            toFigure(
              'outside',
              t('evaluation:legend.notInShape', { layer: layerName }),
              formatValue(notInShape.value, unit),
            ),
          ]
        : []),
      toFigure('whole', t(`evaluation:legend.${totalKey}`), formatValue(total, unit)),
      ...(comparison
        ? [
            toFigure(
              'before',
              t(`evaluation:compare.${totalKey}Before`),
              formatValue(comparison.before.total, unit),
            ),
          ]
        : []),
    ]
  const { kind } = comparison
  const formatComparison = (now: number | null, before: number | null): string =>
    kind === 'percent'
      ? formatChange(compareValues(now, before).percent, 1)
      : formatChange(compareValues(now, before).change, isCountUnit(unit) ? 0 : 1)
  return [
    ...(notInShape
      ? [
          toFigure(
            'outside',
            t('evaluation:legend.notInShape', { layer: layerName }),
            formatComparison(notInShape.value, comparison.before.notInShape?.value ?? null),
          ),
        ]
      : []),
    toFigure('whole', t(`evaluation:legend.${totalKey}`), formatComparison(total, comparison.before.total)),
  ]
}
