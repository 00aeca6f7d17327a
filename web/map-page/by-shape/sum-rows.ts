import type { SpatialAggregation, SpatialResult } from '#contract/spatial.ts'
import type { EvaluationRow, Sum, SumKind } from './evaluation.ts'

/** Returns how shapes add up to the total, or why they may add up to more; null if they cannot be summed. */
export function getSumKind(
  addsUp: SpatialResult['adds_up'],
  aggregation: SpatialAggregation,
): SumKind | null {
  if (addsUp === 'never') return null
  if (addsUp === 'exact') return 'exact'
  if (aggregation === 'orig_or_dest') return 'both_ends'
  return aggregation === 'intersect' ? 'passes' : 'overlaps'
}

/** Returns the sum of the rows of an evaluation; null for values that cannot be summed. */
export const sumRows = (
  kind: SumKind | null,
  rows: readonly EvaluationRow[],
  notInShape: number | null,
  total: number | null,
): Sum | null =>
  kind === null
    ? null
    : {
        shapes: rows.reduce((sum, row) => sum + (row.value ?? 0), 0),
        notInShape: notInShape ?? 0,
        total: total ?? 0,
        kind,
      }
