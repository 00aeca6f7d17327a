import type { TimeBucket } from '#contract/spatial.ts'
import type { Evaluation } from '../by-shape/evaluation.ts'
import type { PlayHead } from './play-head.ts'

/** The input of a time axis: buckets and the value of the whole region in each. */
export interface AxisSteps {
  readonly by: TimeBucket
  readonly buckets: readonly string[]
  readonly totals: readonly (number | null)[]
  at: (bucket: number) => Pick<Evaluation, 'total' | 'unit'>
}

/** A playback and its position. */
export interface AxisPlaying<Steps extends AxisSteps = AxisSteps> {
  playback: Steps
  head: PlayHead
  /** Writes the position to the URL. */
  remember: () => void
  /** Moves to the position of the URL. */
  arrive: (bucket: string) => void
}
