import * as contract from '#contract/curb-map.ts'
import { sendTile } from '#server/geography/tiles/send-tile.ts'
import { Problem } from '#server/http/problem.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import { findOpenRegion } from '#server/regions/public-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { CurbIndexes } from '../store/curb-index.ts'
import { summarizeAllocation } from './curb-allocation.ts'
import { listCurbHere } from './curb-here.ts'
import { CurbTiles } from './curb-tiles.ts'
import { type CurbView, describeCurbWeek, readUser } from './curb-week.ts'
import { exportZones, findZone, listZones } from './curb-zones.ts'

interface CurbMap {
  state: State
  indexes: CurbIndexes
}

interface RegionParams {
  region_id: string
}

interface ViewQuery {
  /** Milliseconds since 1970; now if it is missing. */
  at?: number | undefined
  user_classes: string
  purposes: string
}

/** Declares the endpoints of curb maps, for users of a region and, if its map is public, for everybody. */
export function curbMapRoutes({ state, indexes }: CurbMap): Route[] {
  const tiles = new CurbTiles()
  /** Returns the Scope of a region with public regulations. @throws Problem `not_found` for others. */
  const findPublicScope = async ({ region_id: regionId }: RegionParams): Promise<Scope> => {
    const region = await findOpenRegion(state, regionId)
    const isPublic = region && (await indexes.get(region.scope, regionId)).settings.isPublic
    if (!region || !isPublic)
      throw new Problem('not_found', 'There is no public map of curb regulations here.')
    return region.scope
  }
  const createView = async (
    scope: Scope,
    { params, query, at }: { params: RegionParams; query: ViewQuery; at: Date },
  ): Promise<CurbView> => ({
    index: await indexes.get(scope, params.region_id),
    at: query.at ?? at.getTime(),
    user: readUser(query),
  })
  return [
    route(contract.getCurbWeek, async (call) => describeCurbWeek(await createView(call.viewer.scope, call))),
    route(contract.getPublicCurbWeek, async (call) =>
      describeCurbWeek(await createView(await findPublicScope(call.params), call)),
    ),
    route(contract.getCurbTile, async ({ viewer, params, query, headers }) => {
      const index = await indexes.get(viewer.scope, params.region_id)
      return sendTile(await tiles.getTile(index, query.epoch, params), headers, 'viewer')
    }),
    route(contract.getPublicCurbTile, async ({ params, query, headers }) => {
      const index = await indexes.get(await findPublicScope(params), params.region_id)
      return sendTile(await tiles.getTile(index, query.epoch, params), headers, 'everybody')
    }),
    route(contract.listCurbZonesAt, async (call) => {
      const { scope } = call.viewer
      return listZones(state.as(scope), await createView(scope, call), call.query)
    }),
    route(contract.listPublicCurbZonesAt, async (call) => {
      const scope = await findPublicScope(call.params)
      return listZones(state.as(scope), await createView(scope, call), call.query)
    }),
    route(contract.getCurbZone, async (call) => {
      const { scope } = call.viewer
      return findZone(state.as(scope), await createView(scope, call), call.params.curb_zone_id)
    }),
    route(contract.getPublicCurbZone, async (call) => {
      const scope = await findPublicScope(call.params)
      return findZone(state.as(scope), await createView(scope, call), call.params.curb_zone_id)
    }),
    route(contract.getCurbHere, async (call) => ({
      items: listCurbHere(await createView(call.viewer.scope, call), call.query),
    })),
    route(contract.getPublicCurbHere, async (call) => ({
      items: listCurbHere(await createView(await findPublicScope(call.params), call), call.query),
    })),
    route(contract.exportCurbZones, async (call) =>
      createExportResponse(await createView(call.viewer.scope, call), call.query.format),
    ),
    route(contract.exportPublicCurbZones, async (call) =>
      createExportResponse(await createView(await findPublicScope(call.params), call), call.query.format),
    ),
    route(contract.getCurbAllocation, async (call) => {
      const view = await createView(call.viewer.scope, call)
      const { compare_at: comparedAt } = call.query
      return {
        now: summarizeAllocation(view),
        compared: comparedAt === undefined ? null : summarizeAllocation({ ...view, at: comparedAt }),
      }
    }),
  ]
}

function createExportResponse(view: CurbView, format: 'csv' | 'geojson'): RawResponse {
  const { text, contentType } = exportZones(view, format)
  return new RawResponse(Buffer.from(text), {
    'content-type': contentType,
    'content-disposition': `attachment; filename="curb-regulations.${format}"`,
  })
}
