import type { QueryClient } from '@tanstack/react-query'
import { getBasemap } from '#contract/basemap.ts'
import { listLayers } from '#contract/geography.ts'
import { listOperators } from '#contract/operators.ts'
import { listLiveStations } from '#contract/vehicles.ts'
import { prefetch } from '#web/data/query.ts'
import { loadFleetOverlay } from '#web/map/fleet-engine.ts'
import { liveListQuery } from './use-live-fleet.ts'

/** Prefetches what a live map needs first. */
export const prefetchLive = (client: QueryClient, regionId: string): Promise<unknown> =>
  Promise.all([
    client.prefetchQuery(liveListQuery(regionId)),
    prefetch(client, listOperators, { query: { region_id: regionId, size: 300 } }),
    prefetch(client, listLiveStations, { params: { region_id: regionId } }),
    prefetch(client, listLayers, { params: { region_id: regionId } }),
    prefetch(client, getBasemap, {}),
    loadFleetOverlay(),
  ])
