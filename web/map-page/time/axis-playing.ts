import type { TimeBucket } from '#contract/spatial.ts'
import type { Evaluation } from '../by-shape/evaluation.ts'
import type { PlayHead } from './play-head.ts'

/** The input of a time axis: its buckets, and the value in each of the region or of one shape. */
export interface AxisSteps {
  readonly by: TimeBucket
  readonly buckets: readonly string[]
  readonly totals: readonly (number | null)[]
  resultAt: (bucket: number) => Pick<Evaluation, 'total' | 'unit'>
}

/** A playback and its position. */
export interface AxisPlaying<Steps extends AxisSteps = AxisSteps> {
  playback: Steps
  head: PlayHead
  /** Writes the position to the URL. */
  savePosition: () => void
  /** Moves to a bucket of the URL. */
  restorePosition: (bucket: string) => void
}
