import { notInShape, type ShapeCounts, type SpatialAnswer } from '#contract/evaluation.ts'
import type { Shape } from '#contract/geography.ts'
import { inDistanceUnit } from '#contract/units.ts'
import type { Evaluation, EvaluationRow } from './evaluation.ts'

/** The server's numbers as an evaluation of the layer's shapes. A shape that the answer does not know is left out. */
export function readTripsEvaluation(answer: SpatialAnswer, shapes: readonly Pick<Shape, 'shape_uuid' | 'shape_name'>[], isMetric: boolean): Evaluation {
  const isDistance = answer.unit === 'metres'
  const row = (id: string, name: string, counts: ShapeCounts): EvaluationRow => ({ id, name, counts, value: counts.value === null || !isDistance ? counts.value : inDistanceUnit(counts.value, isMetric) })
  const rows = shapes.flatMap(({ shape_uuid, shape_name }) => {
    const counts = answer.shape_data[shape_uuid]
    return counts ? [row(shape_uuid, shape_name, counts)] : []
  })
  const outside = answer.shape_data[notInShape]
  const left = outside ? row(notInShape, '', outside) : null
  return {
    rows,
    byShape: new Map(rows.map((each) => [each.id, each])),
    notInShape: left,
    total: answer.total,
    unit: isDistance ? 'distance' : answer.unit === 'trips_per_day' ? 'per_day' : 'count',
    days: answer.days,
    sum: isDistance ? null : sumOf(answer, rows, left?.value ?? 0),
    method: answer.method,
    milliseconds: answer.milliseconds,
    isKept: answer.from === 'kept',
  }
}

function sumOf(answer: SpatialAnswer, rows: readonly EvaluationRow[], outside: number): NonNullable<Evaluation['sum']> {
  const total = answer.unit === 'trips_per_day' ? answer.total / Math.max(1, answer.days) : answer.total
  const kind = answer.aggregation === 'orig_or_dest' ? 'both_ends' : answer.overlaps || answer.method.buffer > 0 ? 'overlaps' : 'exact'
  return { shapes: rows.reduce((sum, each) => sum + (each.value ?? 0), 0), notInShape: outside, total, kind }
}
