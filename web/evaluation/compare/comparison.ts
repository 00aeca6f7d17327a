import type { Evaluation } from '../evaluation.ts'
import type { Period } from '#web/filters/period.ts'

/** What a map is compared with, and how that is shown. */
export interface Comparison {
  before: Evaluation
  period: Period
  kind: 'change' | 'percent' | 'side'
}
