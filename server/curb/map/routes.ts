import * as contract from '#contract/curb-map.ts'
import { sendTile } from '#server/geography/tiles/send-tile.ts'
import { Problem } from '#server/http/problem.ts'
import { RawResponse, type Route, route } from '#server/http/route.ts'
import { findOpenRegion } from '#server/regions/public-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { CurbIndexes } from '../store/curb-index.ts'
import { curbHere } from './curb-here.ts'
import { CurbTiles } from './curb-tiles.ts'
import { curbAllocation, curbWeek, readUser } from './curb-week.ts'
import { exportZones, findZone, listZones } from './curb-zones.ts'

interface CurbMap {
  state: State
  indexes: CurbIndexes
}

interface UserQuery {
  at?: number | undefined
  user_classes: string
  purposes: string
}

/**
 * Endpoints of the map of curb regulations, for users of a region and, if the region publishes the map, for
 * everybody.
 */
export function curbMapRoutes({ state, indexes }: CurbMap): Route[] {
  const tiles = new CurbTiles()
  const instant = ({ at }: UserQuery, now: Date): number => at ?? now.getTime()
  /**
   * The Scope of a region with public regulations.
   * @throws Problem `not_found` for all other regions.
   */
  const publicScope = async (regionId: string): Promise<Scope> => {
    const open = await findOpenRegion(state, regionId)
    const isPublic = open && (await indexes.get(open.scope, regionId)).settings.isPublic
    if (!open || !isPublic) throw new Problem('not_found', 'There is no public map of curb regulations here.')
    return open.scope
  }
  const exportResponse = async (
    scope: Scope,
    regionId: string,
    query: UserQuery & { format: 'csv' | 'geojson' },
    now: Date,
  ): Promise<RawResponse> => {
    const index = await indexes.get(scope, regionId)
    const { text, type } = exportZones(index, instant(query, now), readUser(query), query.format)
    return new RawResponse(Buffer.from(text), {
      'content-type': type,
      'content-disposition': `attachment; filename="curb-regulations.${query.format}"`,
    })
  }
  return [
    route(contract.getCurbWeek, async ({ viewer, params, query, at }) =>
      curbWeek(await indexes.get(viewer.scope, params.region_id), instant(query, at), readUser(query)),
    ),
    route(contract.getPublicCurbWeek, async ({ params, query, at }) => {
      const index = await indexes.get(await publicScope(params.region_id), params.region_id)
      return curbWeek(index, instant(query, at), readUser(query))
    }),
    route(contract.getCurbTile, async ({ viewer, params: { region_id, z, x, y }, query, headers }) => {
      const index = await indexes.get(viewer.scope, region_id)
      return sendTile(await tiles.tile(index, query.epoch, { z, x, y }), headers, 'viewer')
    }),
    route(contract.getPublicCurbTile, async ({ params: { region_id, z, x, y }, query, headers }) => {
      const index = await indexes.get(await publicScope(region_id), region_id)
      return sendTile(await tiles.tile(index, query.epoch, { z, x, y }), headers, 'everybody')
    }),
    route(contract.listCurbZonesAt, async ({ viewer, params, query, at }) => {
      const index = await indexes.get(viewer.scope, params.region_id)
      return listZones(state.as(viewer.scope), index, instant(query, at), readUser(query), query)
    }),
    route(contract.listPublicCurbZonesAt, async ({ params, query, at }) => {
      const scope = await publicScope(params.region_id)
      const index = await indexes.get(scope, params.region_id)
      return listZones(state.as(scope), index, instant(query, at), readUser(query), query)
    }),
    route(contract.getCurbZone, async ({ viewer, params, query, at }) => {
      const index = await indexes.get(viewer.scope, params.region_id)
      return findZone(state.as(viewer.scope), index, params.curb_zone_id, instant(query, at), readUser(query))
    }),
    route(contract.getPublicCurbZone, async ({ params, query, at }) => {
      const scope = await publicScope(params.region_id)
      const index = await indexes.get(scope, params.region_id)
      return findZone(state.as(scope), index, params.curb_zone_id, instant(query, at), readUser(query))
    }),
    route(contract.getCurbHere, async ({ viewer, params, query, at }) => {
      const index = await indexes.get(viewer.scope, params.region_id)
      return { items: curbHere(index, { ...query, at: instant(query, at) }, readUser(query)) }
    }),
    route(contract.getPublicCurbHere, async ({ params, query, at }) => {
      const index = await indexes.get(await publicScope(params.region_id), params.region_id)
      return { items: curbHere(index, { ...query, at: instant(query, at) }, readUser(query)) }
    }),
    route(contract.exportCurbZones, ({ viewer, params, query, at }) =>
      exportResponse(viewer.scope, params.region_id, query, at),
    ),
    route(contract.exportPublicCurbZones, async ({ params, query, at }) =>
      exportResponse(await publicScope(params.region_id), params.region_id, query, at),
    ),
    route(contract.getCurbAllocation, async ({ viewer, params, query, at }) => {
      const index = await indexes.get(viewer.scope, params.region_id)
      const user = readUser(query)
      return {
        now: curbAllocation(index, instant(query, at), user),
        compared: query.compare_at === undefined ? null : curbAllocation(index, query.compare_at, user),
      }
    }),
  ]
}
