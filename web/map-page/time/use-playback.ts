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

/** A playback and its position. */
export interface Playing extends AxisPlaying<Playback> {
  /** The states that the map paints at each step. */
  states: StateSource
}

interface Given {
  region: Region
  question: MapQuestion
  search: MapSearch
  adjust: (part: Partial<MapSearch>) => void
  isRequested: boolean
  shapes: readonly NamedShape[] | null
  whole: Evaluation | null
}

/** A single response for a whole playback, and a head that moves over it; null without one. */
export function usePlayback({ region, question, search, adjust, isRequested, shapes, whole }: Given): {
  playing: Playing | null
  isWaiting: boolean
  error: ApiError | null
  retry: () => void
} {
  const { by } = search
  const isOn = isRequested && by !== undefined
  const answer = useEndpointQuery(
    querySpatialByTime,
    { params: { region_id: region.regionId }, body: { ...question, bucket: by ?? 'hour_of_day' } },
    { enabled: isOn, placeholderData: keepPreviousData },
  )
  const { data } = answer
  const playback = useMemo(
    // While another bucket size is loading, the previous playback stays.
    () =>
      isOn && data && shapes && whole
        ? new Playback(
            data,
            data.buckets[0]?.includes('-') ? 'day' : 'hour_of_day',
            whole,
            shapes,
            region.isMetric,
          )
        : null,
    [isOn, data, shapes, whole, region.isMetric],
  )

  const playing = useStatesPlaying(usePlayHead(playback, search.at, adjust))
  return {
    playing,
    isWaiting: isOn && answer.isFetching,
    error: isOn && !isMissingData(answer.error) ? answer.error : null,
    retry: () => void answer.refetch(),
  }
}

/** The same with the states that the map paints, which change outside of React. */
export const useStatesPlaying = (moving: AxisPlaying<Playback> | null): Playing | null =>
  useMemo(
    () =>
      moving && {
        ...moving,
        states: {
          states: () => moving.playback.states(moving.head.read()),
          subscribe: moving.head.subscribe,
        },
      },
    [moving],
  )
