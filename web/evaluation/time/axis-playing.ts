import type { TimeBucket } from '#contract/spatial.ts'
import type { Evaluation } from '../evaluation.ts'
import type { PlayHead } from './play-head.ts'

/** What a time axis knows of what it plays, whatever that is: pieces of time and the value of the whole region in each. */
export interface AxisSteps {
  readonly by: TimeBucket
  readonly buckets: readonly string[]
  readonly totals: readonly (number | null)[]
  at: (bucket: number) => Pick<Evaluation, 'total' | 'unit'>
}

/** Something that is played, and where it stands. */
export interface AxisPlaying<Steps extends AxisSteps = AxisSteps> {
  playback: Steps
  head: PlayHead
  /** Writes the place to the address bar. */
  remember: () => void
  /** Goes where the address bar says. */
  arrive: (bucket: string) => void
}
