import { notInShape } from '#contract/evaluation.ts'
import type { Shape } from '#contract/geography.ts'
import type { IssueFigures, IssuesByShape } from '#contract/issues.ts'
import type { Evaluation, EvaluationRow } from '#web/map-page/by-shape/evaluation.ts'
import { sumRows } from '#web/map-page/by-shape/sum-rows.ts'
import type { Measure } from './issues-search.ts'

/** A shape: the value of the measure, and all of its figures. */
export interface ShapeRow extends EvaluationRow {
  figures: IssueFigures
}

/** The value of a measure; times in hours. Counts are integers, times are not. */
export const valueOf = (
  measure: Measure,
  { count, open, median_hours, mean_hours }: IssueFigures,
): number | null => ({ count, open, median: median_hours, mean: mean_hours })[measure]
export const isTime = (measure: Measure): boolean => measure === 'median' || measure === 'mean'

/** The server's figures as rows of the layer's shapes; shapes that are missing in the response are left out. */
export function shapeRows(
  { shape_data }: Pick<IssuesByShape, 'shape_data'>,
  shapes: readonly Pick<Shape, 'shape_uuid' | 'shape_name'>[],
  measure: Measure,
): ShapeRow[] {
  return shapes.flatMap(({ shape_uuid: id, shape_name: name }): ShapeRow[] => {
    const figures = shape_data[id]
    return figures
      ? [
          {
            id,
            name,
            value: valueOf(measure, figures),
            n: isTime(measure) ? figures.resolved : null,
            counts: {},
            figures,
          },
        ]
      : []
  })
}

/** The unit, which determines decimals: counts have none, hours have one. */
export const unitOf = (measure: Measure): Evaluation['unit'] => (isTime(measure) ? 'hours' : 'events')

/** The rows in the form of any map of values. Counts add up to the total; times do not. `days`: of the period. */
export function shapesEvaluation(
  { shape_data, total, overlaps, method, milliseconds }: IssuesByShape,
  rows: readonly ShapeRow[],
  measure: Measure,
  days: number,
): Evaluation {
  const outside = shape_data[notInShape]
  const notIn = outside
    ? {
        id: notInShape,
        name: '',
        value: valueOf(measure, outside),
        n: isTime(measure) ? outside.resolved : null,
        counts: {},
      }
    : null
  const whole = valueOf(measure, total)
  return {
    rows,
    byShape: new Map(rows.map((row) => [row.id, row])),
    notInShape: notIn,
    total: whole,
    unit: unitOf(measure),
    days,
    sum: sumRows(isTime(measure) ? null : overlaps ? 'overlaps' : 'exact', rows, notIn?.value ?? null, whole),
    method,
    milliseconds,
    from: 'facts',
  }
}
