import type { TFunction } from 'i18next'
import { changeOf } from './compare/compare-evaluations.ts'
import type { Comparison } from './compare/comparison.ts'
import type { Evaluation } from './evaluation.ts'
import { formatChange, formatValue, isWhole } from './format-value.ts'

export interface LegendFigure {
  key: string
  label: string
  value: string
}

/**
 * Figures below the bins: what is outside of all areas, and the total. Areas that do not add up have no total, but a figure of the whole
 * city. `layer`: its name in a sentence.
 */
export function legendFigures(
  t: TFunction,
  evaluation: Evaluation,
  comparison: Comparison | null,
  layer: string,
): LegendFigure[] {
  const { notInShape, total, sum, unit } = evaluation
  const whole = sum ? 'total' : 'citywide'
  const figure = (key: string, label: string, value: string): LegendFigure => ({ key, label, value })
  if (!comparison || comparison.kind === 'side')
    return [
      ...(notInShape
        ? [
            figure(
              'outside',
              t('evaluation:legend.notInShape', { layer }),
              formatValue(notInShape.value, unit),
            ),
          ]
        : []),
      figure('whole', t(`evaluation:legend.${whole}`), formatValue(total, unit)),
      ...(comparison
        ? [
            figure(
              'before',
              t(`evaluation:compare.${whole}Before`),
              formatValue(comparison.before.total, unit),
            ),
          ]
        : []),
    ]
  const { kind } = comparison
  const changed = (now: number | null, before: number | null): string =>
    kind === 'percent'
      ? formatChange(changeOf(now, before).percent, 1)
      : formatChange(changeOf(now, before).change, isWhole(unit) ? 0 : 1)
  return [
    ...(notInShape
      ? [
          figure(
            'outside',
            t('evaluation:legend.notInShape', { layer }),
            changed(notInShape.value, comparison.before.notInShape?.value ?? null),
          ),
        ]
      : []),
    figure('whole', t(`evaluation:legend.${whole}`), changed(total, comparison.before.total)),
  ]
}
