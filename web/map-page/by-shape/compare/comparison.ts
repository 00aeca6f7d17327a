import type { Period } from '#web/filters/period.ts'
import type { Evaluation } from '../evaluation.ts'

/** The comparison of a map and how it is shown. */
export interface Comparison {
  before: Evaluation
  period: Period
  kind: 'change' | 'percent' | 'side'
}
