import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type Operator } from '#contract/operators.ts'
import { listLiveStations, type LiveStation, getLiveVehicles } from '#contract/vehicles.ts'
import { useEndpointQuery, endpointQueryKey } from '#web/data/query.ts'
import { dataColors, type Scheme } from '#web/kit/theme.ts'
import type { UserLocation, StationMark } from '#web/map/layers/fleet-points.ts'
import { clusterZoom, clusterGrid } from '#web/map/cluster-grid.ts'
import { stationMark, stationsMark } from '#web/map/fleet-marks.ts'
import { call } from '#web/data/client.ts'
import { useOperators } from '#web/filters/use-operators.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { operatorColors } from './color-by.ts'
import { LiveFeed } from './live-feed.ts'
import { toFilters, type LiveSearch } from './live-search.ts'
import { LiveView } from './live-view.ts'

const listInput = (region_id: string) => ({ params: { region_id }, query: {} })

/** Query of all vehicles, maybe seconds old: the stream continues from it. Large, so cached briefly. */
export const liveListQuery = (regionId: string) => ({
  queryKey: endpointQueryKey(getLiveVehicles, listInput(regionId)),
  queryFn: ({ signal }: { signal: AbortSignal }) => call(getLiveVehicles, listInput(regionId), { signal }),
  staleTime: 5000,
  gcTime: 5000,
})

const toMark = ({ lon, lat }: { lon: number; lat: number }, id: string, vehicles: number): StationMark => ({
  id,
  lon,
  lat,
  text: String(vehicles),
  isEmpty: vehicles === 0,
})

/** Stations as squares with their vehicles; below the cluster zoom, overlapping ones are merged. */
export function stationMarks(stations: readonly LiveStation[], zoom: number): StationMark[] {
  const singleMark = (index: number): StationMark =>
    toMark(stations[index]!, stationMark(index), stations[index]!.vehicles_available)
  if (zoom >= clusterZoom) return stations.map((_, index) => singleMark(index))
  const places = {
    lon: Float64Array.from(stations, ({ lon }) => lon),
    lat: Float64Array.from(stations, ({ lat }) => lat),
  }
  const { alone, clusters } = clusterGrid(
    places,
    Uint32Array.from(stations.keys()),
    Math.floor(zoom * 2) / 2,
    { weights: Float64Array.from(stations, (station) => station.vehicles_available) },
  )
  return [
    ...Array.from(alone, singleMark),
    ...clusters.map((cluster) =>
      toMark(cluster, stationsMark(cluster.count, cluster.weight), cluster.weight),
    ),
  ]
}

const noStations: readonly LiveStation[] = []
const noOperators: readonly Operator[] = []

/** Gray for all operators; `slugs` are separated by spaces. */
const noColors = (slugs: string, scheme: Scheme): ReadonlyMap<string, string> =>
  new Map(slugs === '' ? [] : slugs.split(' ').map((slug) => [slug, dataColors[scheme].noData]))

interface FleetView {
  zoom: number
  /** The current time, rounded to ten seconds. */
  at: number
  /** The user's position, if known. */
  userLocation?: UserLocation | null
}

/** The fleet of a region with the filters of the URL. The map reads it from `view`, outside of React. */
export function useLiveFleet(
  regionId: string,
  search: LiveSearch,
  { zoom, at, userLocation = null }: FleetView,
) {
  const scheme = useMapScheme()
  const { feed, view } = useFeed(regionId)
  const state = useSyncExternalStore(feed.state.watch, feed.state.read)
  const shown = useSyncExternalStore(view.shown.watch, view.shown.read)
  const operatorsQuery = useOperators(regionId)
  const operators = operatorsQuery.data?.items ?? noOperators
  const { stations, shownStations, marks } = useStations(regionId, feed, search, zoom)
  const { operators: selectedOperators, vehicle_types, states, battery, seen, parked } = search
  const filters = useMemo(
    () => toFilters({ operators: selectedOperators, vehicle_types, states, battery, seen, parked }),
    [selectedOperators, vehicle_types, states, battery, seen, parked],
  )
  const slugs = [...feed.columns.groups, ...stations].map(({ operator }) => operator)
  const colors = useOperatorColors(slugs, operators, !operatorsQuery.isLoading)
  const coloring = search.color ?? 'operator'
  const selected = search.vehicle ?? null
  useEffect(
    () =>
      view.update({
        filters,
        coloring,
        operatorColors: colors,
        scheme,
        zoom,
        stations: marks,
        selected,
        userLocation,
        at,
      }),
    [view, filters, coloring, colors, scheme, zoom, marks, selected, userLocation, at],
  )
  return {
    feed,
    view,
    state,
    shown,
    operators,
    colors,
    stations: shownStations,
    retry: () => feed.restart(regionId),
  }
}

/** Returns the stream of vehicles, and the view of it that the map reads. */
function useFeed(regionId: string) {
  const client = useQueryClient()
  const [feed] = useState(() => new LiveFeed())
  const [view] = useState(() => new LiveView(feed.columns))
  useEffect(() => {
    const stops = [
      feed.version.watch(() => view.refresh()),
      feed.start(regionId, client.fetchQuery(liveListQuery(regionId))),
    ]
    return () => stops.forEach((stop) => stop())
  }, [feed, view, regionId, client])
  return { feed, view }
}

/** Returns the stations of a region, those of the selected operators, and their marks on the map. */
function useStations(regionId: string, feed: LiveFeed, search: LiveSearch, zoom: number) {
  const stationsVersion = useSyncExternalStore(feed.stations.watch, feed.stations.read)
  const { data, refetch } = useEndpointQuery(
    listLiveStations,
    { params: { region_id: regionId } },
    { staleTime: 5000 },
  )
  useEffect(() => {
    if (stationsVersion > 0) void refetch()
  }, [stationsVersion, refetch])
  const stations = data?.items ?? noStations
  const shownStations = useMemo(
    () =>
      search.operators ? stations.filter(({ operator }) => search.operators?.includes(operator)) : stations,
    [stations, search.operators],
  )
  const clusterLevel = Math.min(clusterZoom, Math.floor(zoom * 2) / 2)
  const marks = useMemo(() => stationMarks(shownStations, clusterLevel), [shownStations, clusterLevel])
  return { stations, shownStations, marks }
}

/** Returns the colors of operators by slug. */
function useOperatorColors(
  operatorSlugs: readonly string[],
  operators: readonly Operator[],
  areOperatorsLoaded: boolean,
): ReadonlyMap<string, string> {
  const scheme = useMapScheme()
  const slugs = [...new Set(operatorSlugs)].toSorted().join(' ')
  // Gray until the operators' colors are loaded, so that no wrong colors flash.
  return useMemo(
    () =>
      areOperatorsLoaded
        ? operatorColors(
            slugs === '' ? [] : slugs.split(' '),
            new Map(operators.map(({ slug, colorHex }) => [slug, colorHex])),
            scheme,
          )
        : noColors(slugs, scheme),
    [areOperatorsLoaded, slugs, operators, scheme],
  )
}
