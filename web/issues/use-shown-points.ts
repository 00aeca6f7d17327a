import { useSyncExternalStore } from 'react'
import type { IssuePoints } from '#contract/issues.ts'
import type { AxisPlaying } from '#web/evaluation/time/axis-playing.ts'
import type { IssueSteps } from './issue-steps.ts'

const never = (): (() => void) => () => {}
const nowhere = (): number => 0

/** The points that are shown at this moment: all, or those of the day at which a playback stands. Whoever asks draws anew at every step. */
export function useShownPoints(
  points: IssuePoints | null,
  playing: AxisPlaying<IssueSteps> | null,
): IssuePoints | null {
  const at = useSyncExternalStore(playing?.head.subscribe ?? never, playing?.head.read ?? nowhere)
  return playing ? playing.playback.points(at) : points
}
