import { useLayoutEffect, useMemo } from 'react'
import type { AxisPlaying, AxisSteps } from './axis-playing.ts'
import { PlayHead } from './play-head.ts'

/** Returns the position of a playback, synchronized with the URL parameter `at`; null without a playback. */
export function usePlayHead<Steps extends AxisSteps>(
  playback: Steps | null,
  at: string | undefined,
  adjust: (changes: { at: string | undefined }) => void,
): AxisPlaying<Steps> | null {
  const playing = useMemo((): AxisPlaying<Steps> | null => {
    if (!playback) return null
    // Starts at the first bucket with data; if there is none, -1 is clamped to the first bucket.
    const head = new PlayHead(
      playback.buckets.length,
      playback.totals.findIndex((total) => total !== null && total !== 0),
    )
    let written: string | undefined
    return {
      playback,
      head,
      savePosition: () => {
        written = playback.buckets[head.read()]
        adjust({ at: written })
      },
      // A position that this hook wrote is not a request to move: the playback may have moved on since.
      restorePosition: (bucket) => {
        const index = bucket === written ? -1 : playback.buckets.indexOf(bucket)
        if (index >= 0) head.moveTo(index)
      },
    }
  }, [playback, adjust])
  useLayoutEffect(() => {
    if (at !== undefined && playing?.playback.buckets.includes(at)) playing.restorePosition(at)
    else if (playing && playing.head.read() > 0) playing.savePosition()
  }, [playing, at])
  return playing
}
