import { useSyncExternalStore } from 'react'
import type { Evaluation } from './evaluation.ts'
import type { Playing } from '../time/use-playback.ts'

const subscribeToNothing = (): (() => void) => () => {}
const readZero = (): number => 0

/** Returns the evaluation of the map, or of the current bucket of a playback, which renders at each step. */
export function useCurrentEvaluation(
  evaluation: Evaluation | null,
  playing: Playing | null,
): Evaluation | null {
  const bucket = useSyncExternalStore(
    playing?.head.subscribe ?? subscribeToNothing,
    playing?.head.read ?? readZero,
  )
  return playing ? playing.playback.resultAt(bucket) : evaluation
}
