import type { Evaluation, EvaluationRow, ShownUnit } from './evaluation.ts'

/** For tests: an evaluation of these values by shape id, with a value outside of all shapes. */
export function testEvaluation(
  values: Record<string, number | null>,
  outside: number | null = null,
  unit: ShownUnit = 'trips',
): Evaluation {
  const toRow = (id: string, value: number | null): EvaluationRow => ({
    id,
    name: id.toUpperCase(),
    value,
    n: value,
    counts: {},
  })
  const rows = Object.entries(values).map(([id, value]) => toRow(id, value))
  const shapes = rows.reduce((sum, row) => sum + (row.value ?? 0), 0)
  const total = shapes + (outside ?? 0)
  return {
    rows,
    byShape: new Map(rows.map((row) => [row.id, row])),
    notInShape: toRow('NOT_IN_SHAPE', outside),
    total,
    unit,
    days: 3,
    sum: { shapes, notInShape: outside ?? 0, total, kind: 'exact' },
    method: { name: 'test', version: 1, buffer: 0 },
    milliseconds: 1,
    from: 'facts',
  }
}
