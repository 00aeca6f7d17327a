import * as contract from '#contract/geography.ts'
import { Problem } from '#server/http/problem.ts'
import { type Route, route } from '#server/http/route.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { State } from '#server/stores/state.ts'
import type { Dependents } from './dependents/dependents.ts'
import { dependentRoutes } from './dependents/routes.ts'
import { LayerCache } from './layers/layer-cache.ts'
import { layerRoutes } from './layers/layer-routes.ts'
import { PublicBasemaps } from './layers/public-basemaps.ts'
import type { LayerMembership } from './membership/layer-membership.ts'
import { shapeRoutes } from './shapes/shape-routes.ts'
import { LayerTiles, type TileNumber } from './tiles/layer-tiles.ts'
import { sendTile } from './tiles/send-tile.ts'

interface GeographyOptions {
  state: State
  nowMs: () => number
  membership: LayerMembership
  dependents: Dependents
  blobs: BlobStore
}

export function geographyRoutes({ state, nowMs, membership, dependents, blobs }: GeographyOptions): Route[] {
  const tiles = new LayerTiles(state)
  const layerCache = new LayerCache(state, nowMs)
  const publicBasemaps = new PublicBasemaps(state, nowMs)
  return [
    ...layerRoutes({ state, membership, dependents, blobs, tiles }),
    ...shapeRoutes({ state, dependents }),
    ...dependentRoutes(state, dependents),
    route(contract.getLayerTile, async ({ viewer, params, headers }) => {
      checkTileNumber(params)
      const layer = await layerCache.find(viewer.scope, params.region_id, params.shape_layer_uuid)
      return sendTile(await tiles.getTile(viewer.scope, layer, params), headers, 'viewer')
    }),
    route(contract.getPublicBasemapTile, async ({ params, headers }) => {
      checkTileNumber(params)
      const { scope, layer } = await publicBasemaps.find(params.region_id, params.shape_layer_uuid)
      return sendTile(await tiles.getTile(scope, layer, params), headers, 'everybody')
    }),
  ]
}

function checkTileNumber({ z, x, y }: TileNumber): void {
  if (x >= 2 ** z || y >= 2 ** z) throw new Problem('not_found', 'There is no such tile at this zoom.')
}
