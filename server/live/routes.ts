import * as contract from '#contract/vehicles.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import type { FindViewer } from '#server/http/viewer.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { findVehicleDay } from './find-vehicle-day.ts'
import { toLiveColumns } from './live-columns.ts'
import type { LiveFleet } from './live-fleet.ts'
import { canViewRegion } from './can-view-region.ts'
import { filterVehicles } from './filter-vehicles.ts'
import { listVisibleStations } from './live-snapshot.ts'
import { StreamLimit } from './stream-limit.ts'
import { createVehicleStream } from './vehicle-stream.ts'

interface LiveServices {
  state: State
  facts: Facts
  live: LiveFleet
  getViewer: FindViewer
}

export function liveRoutes({ state, facts, live, getViewer }: LiveServices): Route[] {
  const limit = new StreamLimit()
  return [
    route(contract.getLiveVehicles, async ({ viewer, params, query, at }) => {
      const { operators } = viewer.scope
      const region = await live.open(await findRegion(state, viewer.scope, params.region_id))
      const vehicles = region.visibleTo(operators, at.getTime())
      return toLiveColumns(filterVehicles(vehicles.all(), operators, query), {
        at: vehicles.lastChange,
        time: at.getTime(),
        ids: query.ids,
      })
    }),
    route(contract.streamLiveVehicles, async ({ viewer, params, query, headers, signal }) => {
      const region = await live.open(await findRegion(state, viewer.scope, params.region_id))
      const releaseStream = limit.enter(viewer.admin?.userId ?? viewer.userId)
      // A browser that reconnects sends the id of the last event; it is more recent than the URL.
      const lastEventId = Number.parseInt(headers.get('last-event-id') ?? '', 10)
      const after = Number.isSafeInteger(lastEventId) ? lastEventId : (query.after ?? null)
      const stream = createVehicleStream({
        region,
        operators: viewer.scope.operators,
        after,
        nowMs: () => Date.now(),
        canView: () => canViewRegion(getViewer, headers, viewer, params.region_id),
        signal,
      })
      stream.once('close', releaseStream)
      // Prevents proxies from buffering or caching the events.
      return new RawResponse(stream, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      })
    }),
    route(contract.listLiveStations, async ({ viewer, params }) => {
      const region = await live.open(await findRegion(state, viewer.scope, params.region_id))
      return { items: listVisibleStations(region.snapshots, viewer.scope.operators) }
    }),
    route(contract.getVehicleDay, async ({ viewer, params, at }) => {
      const region = await findRegion(state, viewer.scope, params.region_id)
      return findVehicleDay({
        facts,
        scope: viewer.scope,
        region,
        live: await live.open(region),
        id: params.device_id,
        at,
      })
    }),
  ]
}
