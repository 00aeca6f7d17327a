import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CurbMapSituation } from '#contract/curb-map.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { type CurbMapSearch, toInstant } from './curb-map-search.ts'
import type { CurbSource } from './curb-source.ts'
import { getBins, sumLengths, getSituations } from './states-at.ts'

const dayMs = 86_400_000
const noSituations: ReadonlyMap<string, CurbMapSituation> = new Map()

/** Returns the vehicle and purpose as query parameters. */
export const toUserQuery = ({ vehicle, purpose }: CurbMapSearch) => ({
  user_classes: vehicle ?? 'car',
  purposes: purpose ?? '',
})

/** Returns the data of the map: the states of all rule sets over a week, filtered by the URL. */
export function useCurbMap(source: CurbSource, search: CurbMapSearch, timezone: string, now: number) {
  const params = { region_id: source.regionId }
  const user = toUserQuery(search)
  const at = (search.at === undefined ? null : toInstant(search.at, timezone)) ?? now
  // At most one request per day: the response covers the week, or the time until regulations change in it.
  const week = useEndpointQuery(
    source.endpoints.week,
    { params, query: { at: Math.floor(at / dayMs) * dayMs, ...user } },
    { placeholderData: keepPreviousData },
  )
  const { data } = week
  const isValid = data !== undefined && at >= data.valid_from && at < data.valid_to
  // Regulations may change between the start of the day and the instant.
  const exactWeek = useEndpointQuery(
    source.endpoints.week,
    { params, query: { at, ...user } },
    { enabled: data !== undefined && !week.isPlaceholderData && !isValid, placeholderData: keepPreviousData },
  )
  const visibleWeek = isValid ? data : (exactWeek.data ?? data)
  const situations = useMemo(
    () => (visibleWeek ? getSituations(visibleWeek, at) : noSituations),
    [visibleWeek, at],
  )
  const { states, stay, price } = search
  const binById = useMemo(
    () => getBins(situations, { states, stay, price }),
    [situations, states, stay, price],
  )
  const lengths = useMemo(
    () => (visibleWeek ? sumLengths(visibleWeek, situations) : []),
    [visibleWeek, situations],
  )
  return {
    at,
    user,
    week: visibleWeek,
    situations,
    binById,
    lengths,
    isWaiting: week.isFetching || exactWeek.isFetching,
    isStale: week.isPlaceholderData,
    error: week.error ?? exactWeek.error,
    retry: () => void (week.error ? week.refetch() : exactWeek.refetch()),
  }
}

/** Returns the selected zone with its policies; undefined if none is selected. */
export function useCurbZone(
  source: CurbSource,
  id: string | undefined,
  at: number,
  user: ReturnType<typeof toUserQuery>,
) {
  return useEndpointQuery(
    source.endpoints.zone,
    { params: { region_id: source.regionId, curb_zone_id: id ?? '' }, query: { at, ...user } },
    { enabled: id !== undefined, placeholderData: keepPreviousData },
  )
}
