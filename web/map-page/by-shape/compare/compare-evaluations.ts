import type { Compared, Evaluation, EvaluationRow } from '../evaluation.ts'

/** Compares a value with that of an earlier period. */
export function compareValues(now: number | null, before: number | null): Compared {
  const change = now === null || before === null ? null : now - before
  return {
    now,
    before,
    change,
    percent: change === null || before === null || before === 0 ? null : (change / before) * 100,
  }
}

/** Compares two evaluations: each row of the first gets the change from the second. */
export function compareEvaluations(now: Evaluation, before: Evaluation): Evaluation {
  const withChange = (row: EvaluationRow, earlierRow: EvaluationRow | null | undefined): EvaluationRow => ({
    ...row,
    compared: compareValues(row.value, earlierRow?.value ?? null),
  })
  const rows = now.rows.map((row) => withChange(row, before.byShape.get(row.id)))
  return {
    ...now,
    rows,
    byShape: new Map(rows.map((row) => [row.id, row])),
    notInShape: now.notInShape && withChange(now.notInShape, before.notInShape),
  }
}
