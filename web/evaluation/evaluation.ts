import type { ShapeCounts } from '#contract/evaluation.ts'

export type EvaluationUnit = 'count' | 'per_day' | 'distance'

/** One shape's line of an evaluation. */
export interface EvaluationRow {
  id: string
  name: string
  value: number | null
  counts: ShapeCounts
}

/** What any evaluation map shows: a value per shape, in the region's units, and what the whole adds up to. */
export interface Evaluation {
  rows: EvaluationRow[]
  byShape: ReadonlyMap<string, EvaluationRow>
  notInShape: EvaluationRow | null
  /** All facts of the question. */
  total: number
  unit: EvaluationUnit
  /** Days that `per_day` divides by. */
  days: number
  /** How the shapes add up; null where adding means nothing. */
  sum: { shapes: number; notInShape: number; total: number; kind: 'exact' | 'overlaps' | 'both_ends' } | null
  method: { name: string; version: number; buffer: number }
  milliseconds: number
  isKept: boolean
}
