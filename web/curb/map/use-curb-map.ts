import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CurbMapSituation } from '#contract/curb-map.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { type CurbMapSearch, toInstant } from './curb-map-search.ts'
import type { CurbSource } from './curb-source.ts'
import { binsAt, lengthsAt, situationsAt } from './states-at.ts'

const dayMs = 86_400_000
const noSituations: ReadonlyMap<string, CurbMapSituation> = new Map()

/** Returns the vehicle and purpose as query parameters. */
export const userQuery = ({ vehicle, purpose }: CurbMapSearch) => ({
  user_classes: vehicle ?? 'car',
  purposes: purpose ?? '',
})

/** The data of the map: the states of all rule sets over the week of the instant, filtered by the URL. */
export function useCurbMap(source: CurbSource, search: CurbMapSearch, zone: string, now: number) {
  const params = { region_id: source.regionId }
  const user = userQuery(search)
  const at = (search.at === undefined ? null : toInstant(search.at, zone)) ?? now
  // One request per local day at most: the response covers the week, or the time until regulations change in
  // it.
  const week = useEndpointQuery(
    source.endpoints.week,
    { params, query: { at: Math.floor(at / dayMs) * dayMs, ...user } },
    { placeholderData: keepPreviousData },
  )
  const { data } = week
  const isInside = data !== undefined && at >= data.valid_from && at < data.valid_to
  // Regulations may change between the start of the day and the instant.
  const exact = useEndpointQuery(
    source.endpoints.week,
    { params, query: { at, ...user } },
    {
      enabled: data !== undefined && !week.isPlaceholderData && !isInside,
      placeholderData: keepPreviousData,
    },
  )
  const shownWeek = isInside ? data : (exact.data ?? data)
  const situations = useMemo(() => (shownWeek ? situationsAt(shownWeek, at) : noSituations), [shownWeek, at])
  const { states, stay, price } = search
  const binById = useMemo(
    () => binsAt(situations, { states, stay, price }),
    [situations, states, stay, price],
  )
  const lengths = useMemo(() => (shownWeek ? lengthsAt(shownWeek, situations) : []), [shownWeek, situations])
  return {
    at,
    user,
    week: shownWeek,
    situations,
    binById,
    lengths,
    isWaiting: week.isFetching || exact.isFetching,
    isStale: week.isPlaceholderData,
    error: week.error ?? exact.error,
    retry: () => void (week.error ? week.refetch() : exact.refetch()),
  }
}

/** Returns the selected zone with its policies; undefined if none is selected. */
export function useCurbZone(
  source: CurbSource,
  id: string | undefined,
  at: number,
  user: ReturnType<typeof userQuery>,
) {
  return useEndpointQuery(
    source.endpoints.zone,
    { params: { region_id: source.regionId, curb_zone_id: id ?? '' }, query: { at, ...user } },
    { enabled: id !== undefined, placeholderData: keepPreviousData },
  )
}
