import { useSyncExternalStore } from 'react'
import type { Evaluation } from './evaluation.ts'
import type { Playing } from './time/use-playback.ts'

const never = (): (() => void) => () => {}
const nowhere = (): number => 0

/** What is shown at this moment: the evaluation, or the bucket at which a playback stands. Whoever asks draws anew at every step; nobody else does. */
export function useShownNow(evaluation: Evaluation | null, playing: Playing | null): Evaluation | null {
  const at = useSyncExternalStore(playing?.head.subscribe ?? never, playing?.head.read ?? nowhere)
  return playing ? playing.playback.at(at) : evaluation
}
