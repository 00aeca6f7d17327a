import { notInShape } from '#contract/evaluation.ts'
import type { Shape } from '#contract/geography.ts'
import type { IssueFigures, IssuesByShape } from '#contract/issues.ts'
import type { Evaluation, EvaluationRow } from '#web/map-page/by-shape/evaluation.ts'
import { sumRows } from '#web/map-page/by-shape/sum-rows.ts'
import type { Measure } from './issues-search.ts'

/** A shape with the value of the measure and all figures. */
export interface ShapeRow extends EvaluationRow {
  figures: IssueFigures
}

/** Returns the value of a measure: an integer count, or a time in hours. */
export const measureValue = (
  measure: Measure,
  { count, open, median_hours, mean_hours }: IssueFigures,
): number | null => ({ count, open, median: median_hours, mean: mean_hours })[measure]
/** Tests whether a measure is a time to resolution. */
export const isTime = (measure: Measure): boolean => measure === 'median' || measure === 'mean'

/** Returns the server's figures as rows of the layer's shapes; shapes that the response lacks are omitted. */
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
            value: measureValue(measure, figures),
            n: isTime(measure) ? figures.resolved : null,
            counts: {},
            figures,
          },
        ]
      : []
  })
}

/** Returns the unit, which determines the decimals: none for counts, one for hours. */
export const measureUnit = (measure: Measure): Evaluation['unit'] => (isTime(measure) ? 'hours' : 'events')

/** Returns the rows for a map of values: counts have a total, times have none. `days`: of the period. */
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
        value: measureValue(measure, outside),
        n: isTime(measure) ? outside.resolved : null,
        counts: {},
      }
    : null
  const totalValue = measureValue(measure, total)
  return {
    rows,
    byShape: new Map(rows.map((row) => [row.id, row])),
    notInShape: notIn,
    total: totalValue,
    unit: measureUnit(measure),
    days,
    sum: sumRows(
      isTime(measure) ? null : overlaps ? 'overlaps' : 'exact',
      rows,
      notIn?.value ?? null,
      totalValue,
    ),
    method,
    milliseconds,
    from: 'facts',
  }
}
