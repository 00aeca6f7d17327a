import { useCallback, useMemo, useState, useEffect } from 'react'
import { listLayers } from '#contract/geography.ts'
import type { Box } from '#contract/place.ts'
import type { Region } from '#contract/regions.ts'
import { liveStateNames } from '#contract/vehicles.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { firstView } from '#web/map-page/first-view.ts'
import { useBasemap } from '#web/map-page/use-basemap.ts'
import type { UserLocation } from '#web/map/layers/fleet-points.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { now } from '#web/data/clock.ts'
import { isFiltered, liveSearch } from './live-search.ts'
import { useLiveFleet } from './use-live-fleet.ts'

/** Filters and texts that depend on the current time are updated at this interval. */
const tickMs = 10_000

/** Returns the current time in ms since 1970, updated at an interval. */
function useTick(everyMs: number): number {
  const [at, setAt] = useState(now)
  useEffect(() => {
    const timer = setInterval(() => setAt(now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return at
}

/**
 * The state of a live map.
 *
 * @param width Width of the map in pixels
 * @param userLocation The user's position; null if unknown
 */
export function useLiveMap(region: Region, width: number, userLocation: UserLocation | null = null) {
  const { regionId } = region
  const scheme = useMapScheme()
  const { search, push: change, replace: adjust } = useSearchState(liveSearch)
  const { view: camera, isExact } = firstView(search.view, region, width)
  const at = useTick(tickMs)
  const [openedAt] = useState(at)
  const fleet = useLiveFleet(regionId, search, { zoom: camera.zoom, at, userLocation })
  const {
    feed: { columns },
    state,
    shown,
    stations,
  } = fleet
  const layers = useEndpointQuery(listLayers, { params: { region_id: regionId } })
  const basemap = useBasemap(layers.data?.items ?? null, openedAt)
  const selected = search.vehicle ?? null
  const scene = useMemo(
    () => ({ scheme, basemap, layers: [], heat: null, selected }),
    [scheme, basemap, selected],
  )
  const select = useCallback((id: string | null) => change({ vehicle: id ?? undefined }), [change])
  const showResults = useCallback(
    (isOpen: boolean) => adjust({ results: isOpen ? true : undefined }),
    [adjust],
  )
  const hasFilters = isFiltered(search)
  // Without filters, the only hidden vehicles are in other states.
  const clear = useCallback(
    () =>
      change(
        hasFilters
          ? {
              operators: undefined,
              vehicle_types: undefined,
              states: undefined,
              battery: undefined,
              seen: undefined,
              parked: undefined,
            }
          : { states: [...liveStateNames] },
      ),
    [change, hasFilters],
  )
  const findVehicle = useCallback(
    (id: string): Box | null => {
      const handle = columns.find(id)
      const lon = columns.lon[handle] ?? Number.NaN
      const lat = columns.lat[handle] ?? Number.NaN
      return Number.isNaN(lon + lat) ? null : [lon, lat, lon, lat]
    },
    [columns],
  )
  const isLoaded = state.changed !== null
  const findLack = (): 'vehicles' | 'matches' | 'away' | null => {
    if (!isLoaded) return null
    if (columns.count === 0 && stations.length === 0) return 'vehicles'
    if (columns.count === 0 || shown?.handles.length !== 0) return null
    return hasFilters ? 'matches' : 'away'
  }
  const lacks = findLack()
  return {
    ...fleet,
    columns,
    search,
    change,
    adjust,
    camera,
    isExact,
    at,
    scene,
    selected,
    select,
    showResults,
    clear,
    findVehicle,
    isLoaded,
    lacks,
  }
}
