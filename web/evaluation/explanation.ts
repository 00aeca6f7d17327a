import type { Evaluation } from './evaluation.ts'

/** What one who doubts a figure can read. */
export interface Explanation extends Pick<Evaluation, 'ways' | 'method' | 'days' | 'milliseconds' | 'from'> {
  definition: string
  period: string
}
