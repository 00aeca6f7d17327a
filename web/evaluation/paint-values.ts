import type { TFunction } from 'i18next'
import type { Bin } from '#contract/bins.ts'
import { spreadColors } from '#web/charts/spread-colors.ts'
import { classify } from './classify.ts'
import type { Evaluation } from './evaluation.ts'
import { legendRows } from './legend-rows.ts'
import type { Painting } from './painting.ts'

const classesOf = (rows: Evaluation['rows'], bins: readonly Bin[] | undefined) =>
  classify(new Map(rows.map((row) => [row.id, row.value])), bins)

/** Values from few to many; with given bins where several evaluations share their colours. `before`: the other one of two, whose shapes the legend counts too. */
export function paintValues(
  t: TFunction,
  { rows, unit }: Pick<Evaluation, 'rows' | 'unit'>,
  ramp: readonly string[],
  bins?: readonly Bin[],
  before?: Pick<Evaluation, 'rows'>,
): Painting {
  const classes = classesOf(rows, bins)
  const colors = spreadColors(ramp, classes.bins.length)
  return {
    of: classes.of,
    colors,
    legend: legendRows(t, classes, colors, unit, before ? classesOf(before.rows, bins) : null),
  }
}
