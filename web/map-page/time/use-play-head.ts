import { useLayoutEffect, useMemo } from 'react'
import type { AxisPlaying, AxisSteps } from './axis-playing.ts'
import { PlayHead } from './play-head.ts'

/** Returns the position of a playback, synchronized with the URL parameter `at`; null without a playback. */
export function usePlayHead<Steps extends AxisSteps>(
  playback: Steps | null,
  bucketInUrl: string | undefined,
  adjust: (changes: { at: string | undefined }) => void,
): AxisPlaying<Steps> | null {
  const playing = useMemo((): AxisPlaying<Steps> | null => {
    if (!playback) return null
    // Starts at the first bucket with data; if there is none, -1 is clamped to the first bucket.
    const head = new PlayHead(
      playback.buckets.length,
      playback.totals.findIndex((total) => total !== null && total !== 0),
    )
    let writtenBucket: string | undefined
    return {
      playback,
      head,
      savePosition: () => {
        writtenBucket = playback.buckets[head.read()]
        adjust({ at: writtenBucket })
      },
      // A position that this hook wrote is not a request to move: the playback may have moved on since.
      restorePosition: (bucket) => {
        const index = bucket === writtenBucket ? -1 : playback.buckets.indexOf(bucket)
        if (index >= 0) head.moveTo(index)
      },
    }
  }, [playback, adjust])
  useLayoutEffect(() => {
    if (bucketInUrl !== undefined && playing?.playback.buckets.includes(bucketInUrl))
      playing.restorePosition(bucketInUrl)
    else if (playing && playing.head.read() > 0) playing.savePosition()
  }, [playing, bucketInUrl])
  return playing
}
