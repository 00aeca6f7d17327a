import type { QueryClient } from '@tanstack/react-query'
import { getBasemap } from '#contract/basemap.ts'
import { listLayers } from '#contract/geography.ts'
import { listOperators } from '#contract/operators.ts'
import { listLiveStations } from '#contract/vehicles.ts'
import { askAhead } from '#web/data/query.ts'
import { fleetEngine } from '#web/map/fleet-engine.ts'
import { liveList } from './live-list.ts'

/** Asks ahead for what a live map shows first. */
export const askLive = (client: QueryClient, regionId: string): Promise<unknown> =>
  Promise.all([
    client.prefetchQuery(liveList(regionId)),
    askAhead(client, listOperators, { query: { region_id: regionId, size: 300 } }),
    askAhead(client, listLiveStations, { params: { region_id: regionId } }),
    askAhead(client, listLayers, { params: { region_id: regionId } }),
    askAhead(client, getBasemap, {}),
    fleetEngine(),
  ])
