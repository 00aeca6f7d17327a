import { LRUCache } from 'lru-cache'
import type { GeoJSONVTFeature } from '@maplibre/geojson-vt'
import type { Layer } from '#contract/geography.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { type CurrentShapes, readCurrentShapes, type TileShape } from './current-shapes.ts'
import { getBoxOfTile, drawTile, encodeTile, intersects, type Tile } from './draw-tile.ts'

/** A layer with tiles; `content_hash` changes with its shapes. */
export type TiledLayer = Pick<Layer, 'shape_layer_uuid' | 'content_hash'>

/** The zoom, column and row of a tile. */
export interface TileNumber {
  z: number
  x: number
  y: number
}

/** Tiles by `z/x/y`, including empty ones. */
type TileCache = ComputedCache<{ tile: Tile | null }>

interface CachedLayer {
  content: string
  shapes: Promise<readonly TileShape[]>
  /** Includes unchanged tiles of the previous content. */
  tiles: TileCache
}

/** Maximum numbers of cached tiles per layer, and of cached layers. */
const maxTilesPerLayer = 800
const maxLayers = 24

/**
 * Vector tiles of layers. A layer is read on first use. After a change, only changed shapes are read, and
 * only their tiles are drawn again.
 */
export class LayerTiles {
  readonly #state: State
  readonly #layers = new LRUCache<string, CachedLayer>({ max: maxLayers })
  constructor(state: State) {
    this.#state = state
  }

  /** Returns a tile; null if it is empty. */
  async getTile(scope: Scope, layer: TiledLayer, { z, x, y }: TileNumber): Promise<Tile | null> {
    const { shapes, tiles } = this.#getCached(scope, layer)
    const tileShapes = await shapes
    const { tile } = await tiles.get(`${z}/${x}/${y}`, async () => ({
      tile: await encodeTile(await drawTile(tileShapes, z, x, y)),
    }))
    return tile
  }

  /** Draws the features of a tile, which are not cached; null if it is empty. */
  async drawFeatures(
    scope: Scope,
    layer: TiledLayer,
    { z, x, y }: TileNumber,
  ): Promise<GeoJSONVTFeature[] | null> {
    return drawTile(await this.#getCached(scope, layer).shapes, z, x, y)
  }

  /** Reads the layer's shapes, so that its first tile is quick. */
  async prepare(scope: Scope, layer: Layer): Promise<void> {
    await this.#getCached(scope, layer).shapes
  }

  #getCached(scope: Scope, { shape_layer_uuid: id, content_hash: content }: TiledLayer): CachedLayer {
    const previous = this.#layers.get(id)
    if (previous?.content === content) return previous
    const tiles: TileCache = new ComputedCache({ max: maxTilesPerLayer })
    const cachedLayer: CachedLayer = { content, tiles, shapes: this.#read(scope, id, previous, tiles) }
    this.#layers.set(id, cachedLayer)
    cachedLayer.shapes.catch(() => {
      if (this.#layers.get(id) === cachedLayer) this.#layers.delete(id)
    })
    return cachedLayer
  }

  async #read(
    scope: Scope,
    id: string,
    previous: CachedLayer | undefined,
    tiles: TileCache,
  ): Promise<readonly TileShape[]> {
    const previousShapes = (await previous?.shapes.catch(() => undefined)) ?? []
    const { shapes, changedBoxes } = await readCurrentShapes(this.#state.as(scope), id, previousShapes)
    if (previous && previousShapes.length > 0) reuseTiles(previous.tiles, tiles, changedBoxes)
    return shapes
  }
}

/** Copies the tiles that do not intersect a changed box to a new cache. */
function reuseTiles(
  previous: TileCache,
  tiles: TileCache,
  changedBoxes: CurrentShapes['changedBoxes'],
): void {
  for (const [key, tile] of previous.entries()) {
    const box = getBoxOfTile(...(key.split('/').map(Number) as [number, number, number]))
    if (!changedBoxes.some((changedBox) => intersects(changedBox, box))) tiles.set(key, tile)
  }
}
