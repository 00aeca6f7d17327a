import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { querySpatialByTime } from '#contract/spatial.ts'
import type { Region } from '#contract/regions.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { StateSource } from '#web/map/map-layer.ts'
import type { Evaluation } from '../by-shape/evaluation.ts'
import type { MapQuestion } from '../by-shape/map-mode.ts'
import { isMissingData } from '../by-shape/is-missing-data.ts'
import type { MapSearch } from '../by-shape/map-search.ts'
import type { NamedShape } from '../by-shape/read-evaluation.ts'
import type { AxisPlaying } from './axis-playing.ts'
import { Playback } from './playback.ts'
import { usePlayHead } from './use-play-head.ts'

export interface Playing extends AxisPlaying<Playback> {
  /** The states that the map paints at each step. */
  states: StateSource
}

interface PlaybackInput {
  region: Region
  question: MapQuestion
  search: MapSearch
  adjust: (changes: Partial<MapSearch>) => void
  isRequested: boolean
  shapes: readonly NamedShape[] | null
  /** The evaluation of the entire period; null until it is loaded. */
  overall: Evaluation | null
}

/** Loads the values of all buckets in one response. `playing` is null without a playback. */
export function usePlayback({
  region,
  question,
  search,
  adjust,
  isRequested,
  shapes,
  overall,
}: PlaybackInput): {
  playing: Playing | null
  isWaiting: boolean
  error: ApiError | null
  retry: () => void
} {
  const { by } = search
  const isOn = isRequested && by !== undefined
  const response = useEndpointQuery(
    querySpatialByTime,
    { params: { region_id: region.regionId }, body: { ...question, bucket: by ?? 'hour_of_day' } },
    { enabled: isOn, placeholderData: keepPreviousData },
  )
  const { data } = response
  const playback = useMemo(
    () =>
      isOn && data && shapes && overall
        ? new Playback({
            response: data,
            // Read from the response: it may be that of the previous bucket size.
            by: data.buckets[0]?.includes('-') ? 'day' : 'hour_of_day',
            overall,
            shapes,
            isMetric: region.isMetric,
          })
        : null,
    [isOn, data, shapes, overall, region.isMetric],
  )
  const playing = useStatesPlaying(usePlayHead(playback, search.at, adjust))
  return {
    playing,
    isWaiting: isOn && response.isFetching,
    error: isOn && !isMissingData(response.error) ? response.error : null,
    retry: () => void response.refetch(),
  }
}

/** Adds the states that the map paints at each step, outside of React. */
export const useStatesPlaying = (playing: AxisPlaying<Playback> | null): Playing | null =>
  useMemo(
    () =>
      playing && {
        ...playing,
        states: {
          states: () => playing.playback.states(playing.head.read()),
          subscribe: playing.head.subscribe,
        },
      },
    [playing],
  )
