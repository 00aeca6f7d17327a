import { findLayerGeometries } from '#server/geography/shapes/find-shapes.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { buildStreetGrid, type StreetGrid } from './street-grid.ts'
import { findStreetLayer, toStreetLines } from './street-layer.ts'
import { makeStreetSegments } from './street-segments.ts'

/** The number of regions with cached streets. */
const maxRegions = 8

/** The street grids of regions, cached until the layer changes. */
export class StreetGrids {
  readonly #cache = new Map<string, { content: string; grid: Promise<StreetGrid> }>()
  readonly #state: Pick<State, 'as'>
  constructor(state: Pick<State, 'as'>) {
    this.#state = state
  }

  /** Returns null if the region has no streets layer. */
  async load(scope: Scope, regionId: string, lat: number): Promise<StreetGrid | null> {
    const layer = await findStreetLayer(this.#state, scope, regionId)
    if (!layer) return null
    const cachedGrid = this.#cache.get(regionId)
    if (cachedGrid?.content === layer.content_hash) return cachedGrid.grid
    const grid = this.#read(scope, layer.layer_id, lat)
    this.#cache.delete(regionId)
    this.#cache.set(regionId, { content: layer.content_hash, grid })
    grid.catch(() => this.#cache.delete(regionId))
    for (const oldest of [...this.#cache.keys()].slice(0, -maxRegions)) this.#cache.delete(oldest)
    return grid
  }

  async #read(scope: Scope, layerId: string, lat: number): Promise<StreetGrid> {
    const shapes = await findLayerGeometries(this.#state as State, scope, layerId)
    return buildStreetGrid(makeStreetSegments(toStreetLines(shapes)), lat)
  }
}
