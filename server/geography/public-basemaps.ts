import { Problem } from '#server/http/problem.ts'
import { findOpenRegion, readPublicRegion } from '#server/regions/public-region.ts'
import { InvalidatingCache } from '#server/stores/invalidating-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { TiledLayer } from './layer-tiles.ts'

interface PublicBasemap {
  /** Of the region alone. */
  scope: Scope
  layers: readonly TiledLayer[]
}

/** Basemaps of regions that have a public map, cached until one of their tables changes: a map loads many tiles. */
export class PublicBasemaps {
  readonly #state: State
  readonly #regions: InvalidatingCache<PublicBasemap | null>
  constructor(state: State, now: () => number) {
    this.#state = state
    const tables = ['region', 'organization', 'policy', 'layer', 'shape']
    this.#regions = new InvalidatingCache({
      changes: state.changes,
      tables,
      ttlMs: 5000,
      maxEntries: 50,
      now,
    })
  }

  /** A basemap layer and the Scope to read it in. All other layers get one answer: nobody learns which exist. */
  async find(regionId: string, layerId: string): Promise<{ scope: Scope; layer: TiledLayer }> {
    const basemap = await this.#regions.get(regionId, () => this.#read(regionId))
    const layer = basemap?.layers.find(({ shape_layer_uuid: id }) => id === layerId)
    if (!basemap || !layer) throw new Problem('not_found', 'There is no such layer of a public basemap.')
    return { scope: basemap.scope, layer }
  }

  async #read(regionId: string): Promise<PublicBasemap | null> {
    const found = await findOpenRegion(this.#state, regionId)
    if (!found) return null
    const { basemap } = await readPublicRegion(this.#state, found)
    return {
      scope: found.scope,
      layers: basemap.map(({ shape_layer_uuid, version }) => ({ shape_layer_uuid, content_hash: version })),
    }
  }
}
