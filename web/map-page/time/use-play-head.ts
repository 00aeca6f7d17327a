import { useLayoutEffect, useMemo } from 'react'
import type { AxisPlaying, AxisSteps } from './axis-playing.ts'
import { PlayHead } from './play-head.ts'

/** A head over a playback that follows the URL's `at`; null without a playback. */
export function usePlayHead<Steps extends AxisSteps>(
  playback: Steps | null,
  at: string | undefined,
  adjust: (part: { at: string | undefined }) => void,
): AxisPlaying<Steps> | null {
  const playing = useMemo((): AxisPlaying<Steps> | null => {
    if (!playback) return null
    // Nothing is visible before the first bucket with data.
    const head = new PlayHead(
      playback.buckets.length,
      playback.totals.findIndex((total) => total !== null && total !== 0),
    )
    let written: string | undefined
    return {
      playback,
      head,
      remember: () => {
        written = playback.buckets[head.read()]
        adjust({ at: written })
      },
      // A position written here is not a request to move: the head may be farther by now.
      arrive: (bucket) => {
        const place = bucket === written ? -1 : playback.buckets.indexOf(bucket)
        if (place >= 0) head.moveTo(place)
      },
    }
  }, [playback, adjust])
  useLayoutEffect(() => {
    if (at !== undefined && playing?.playback.buckets.includes(at)) playing.arrive(at)
    else if (playing && playing.head.read() > 0) playing.remember()
  }, [playing, at])
  return playing
}
