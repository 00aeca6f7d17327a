import type { Period } from '#web/filters/period.ts'
import type { Evaluation } from '../evaluation.ts'

/** The comparison of a map and how it is shown. */
export interface Comparison {
  /** The evaluation of the earlier period, and that period. */
  before: Evaluation
  period: Period
  /** Shows the difference, the difference in percent, or both periods side by side. */
  kind: 'change' | 'percent' | 'side'
}
