import { Problem } from '#server/http/problem.ts'
import { findOpenRegion, readPublicRegion } from '#server/regions/public-region.ts'
import { InvalidatingCache } from '#server/stores/invalidating-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { TiledLayer } from '../tiles/layer-tiles.ts'

interface PublicBasemap {
  /** The Scope of the region. */
  scope: Scope
  layers: readonly TiledLayer[]
}

/** Basemaps of regions with a public map, cached until their tables change: a map loads many tiles. */
export class PublicBasemaps {
  readonly #state: State
  readonly #regions: InvalidatingCache<PublicBasemap | null>
  constructor(state: State, nowMs: () => number) {
    this.#state = state
    const tables = ['region', 'organization', 'policy', 'layer', 'shape']
    this.#regions = new InvalidatingCache({
      changes: state.changes,
      tables,
      ttlMs: 5000,
      maxEntries: 50,
      nowMs,
    })
  }

  /**
   * Finds a layer of a public basemap and the Scope to read it.
   * @throws Problem `not_found`, also for layers that are not public, which must not be disclosed.
   */
  async find(regionId: string, layerId: string): Promise<{ scope: Scope; layer: TiledLayer }> {
    const basemap = await this.#regions.get(regionId, () => this.#read(regionId))
    const layer = basemap?.layers.find(({ shape_layer_uuid: id }) => id === layerId)
    if (!basemap || !layer) throw new Problem('not_found', 'There is no such layer of a public basemap.')
    return { scope: basemap.scope, layer }
  }

  async #read(regionId: string): Promise<PublicBasemap | null> {
    const region = await findOpenRegion(this.#state, regionId)
    if (!region) return null
    const { basemap } = await readPublicRegion(this.#state, region)
    return {
      scope: region.scope,
      layers: basemap.map(({ shape_layer_uuid, version }) => ({ shape_layer_uuid, content_hash: version })),
    }
  }
}
