import { useSyncExternalStore } from 'react'
import type { Evaluation } from './evaluation.ts'
import type { Playing } from '../time/use-playback.ts'

const never = (): (() => void) => () => {}
const nowhere = (): number => 0

/** The current state: the evaluation, or the bucket of a playback. Components with this hook are rendered again at every step, no others. */
export function useCurrentEvaluation(
  evaluation: Evaluation | null,
  playing: Playing | null,
): Evaluation | null {
  const at = useSyncExternalStore(playing?.head.subscribe ?? never, playing?.head.read ?? nowhere)
  return playing ? playing.playback.at(at) : evaluation
}
