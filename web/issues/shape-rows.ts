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
export const getMeasureValue = (
  measure: Measure,
  { count, open, median_hours, mean_hours }: IssueFigures,
): number | null => ({ count, open, median: median_hours, mean: mean_hours })[measure]

/** Whether a measure is a time to resolution. */
export const isTime = (measure: Measure): boolean => measure === 'median' || measure === 'mean'

/** Returns the server's figures as rows of the layer's shapes; shapes that the response lacks are omitted. */
export function toShapeRows(
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
            value: getMeasureValue(measure, figures),
            n: isTime(measure) ? figures.resolved : null,
            counts: {},
            figures,
          },
        ]
      : []
  })
}

/** Returns the unit, which determines the decimals: none for counts, one for hours. */
export const getMeasureUnit = (measure: Measure): Evaluation['unit'] => (isTime(measure) ? 'hours' : 'events')

/**
 * Returns the rows for a map of values. Counts have a sum, unless shapes overlap; times have none.
 * @param days number of days of the period
 */
export function toShapesEvaluation(
  { shape_data, total, overlaps, method, milliseconds }: IssuesByShape,
  rows: readonly ShapeRow[],
  measure: Measure,
  days: number,
): Evaluation {
  const outside = shape_data[notInShape]
  const outsideRow = outside
    ? {
        id: notInShape,
        name: '',
        value: getMeasureValue(measure, outside),
        n: isTime(measure) ? outside.resolved : null,
        counts: {},
      }
    : null
  const totalValue = getMeasureValue(measure, total)
  return {
    rows,
    byShape: new Map(rows.map((row) => [row.id, row])),
    notInShape: outsideRow,
    total: totalValue,
    unit: getMeasureUnit(measure),
    days,
    sum: sumRows(
      isTime(measure) ? null : overlaps ? 'overlaps' : 'exact',
      rows,
      outsideRow?.value ?? null,
      totalValue,
    ),
    method,
    milliseconds,
    from: 'facts',
  }
}
