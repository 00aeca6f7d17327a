import { createHash } from 'node:crypto'
import { setImmediate as yieldThread } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Layer } from '#contract/geography.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { LruCache } from '#server/stores/lru-cache.ts'
import { type CurrentShapes, readCurrentShapes } from './tiles/current-shapes.ts'
import { boxOfTile, intersects, type TileShape } from './tiles/tile-shape.ts'
import { TileCutter } from './tiles/tile-cutter.ts'

const compress = promisify(gzip)

/** An encoded tile. */
export interface Tile {
  gzipped: Uint8Array
  etag: string
}

/** A layer with tiles; `content_hash` changes with its shapes. */
export type TiledLayer = Pick<Layer, 'shape_layer_uuid' | 'content_hash'>

interface CachedLayer {
  content: string
  shapes: Promise<readonly TileShape[]>
  /** Tiles by `z/x/y`, including those of the previous content that did not change. */
  tiles: LruCache<Promise<Tile | null>>
}

/** Cached tiles per layer, and cached layers. */
const maxTilesPerLayer = 800
const maxLayers = 24
/** Points that are drawn before other calls get a turn. */
const pointsPerTurn = 20_000

/**
 * Vector tiles of layers. A layer is read on first use; after a change, only changed shapes are read and only
 * their tiles are drawn again.
 */
export class LayerTiles {
  readonly #state: State
  readonly #layers = new LruCache<CachedLayer>(maxLayers)
  constructor(state: State) {
    this.#state = state
  }

  /** A tile; null if it is empty. */
  async tile(scope: Scope, layer: TiledLayer, z: number, x: number, y: number): Promise<Tile | null> {
    const { shapes, tiles } = this.#cached(scope, layer)
    const tileShapes = await shapes
    return tiles.getOrCreate(`${z}/${x}/${y}`, () => buildTile(tileShapes, z, x, y))
  }

  /** Reads the layer's shapes, so that its first tile is quick. */
  async prepare(scope: Scope, layer: Layer): Promise<void> {
    await this.#cached(scope, layer).shapes
  }

  #cached(scope: Scope, { shape_layer_uuid: id, content_hash: content }: TiledLayer): CachedLayer {
    const previous = this.#layers.get(id)
    if (previous?.content === content) return previous
    const tiles = new LruCache<Promise<Tile | null>>(maxTilesPerLayer)
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
    tiles: CachedLayer['tiles'],
  ): Promise<readonly TileShape[]> {
    const old = (await previous?.shapes.catch(() => undefined)) ?? []
    const { shapes, changedBoxes } = await readCurrentShapes(this.#state, scope, id, old)
    if (previous && old.length > 0) reuseTiles(previous.tiles, tiles, changedBoxes)
    return shapes
  }
}

function reuseTiles(
  from: CachedLayer['tiles'],
  to: CachedLayer['tiles'],
  changedBoxes: CurrentShapes['changedBoxes'],
): void {
  for (const [place, tile] of from.entries()) {
    const box = boxOfTile(...(place.split('/').map(Number) as [number, number, number]))
    if (!changedBoxes.some((each) => intersects(each, box))) to.set(place, tile)
  }
}

async function buildTile(
  shapes: readonly TileShape[],
  z: number,
  x: number,
  y: number,
): Promise<Tile | null> {
  const [box, cutter] = [boxOfTile(z, x, y), new TileCutter(z, x, y)]
  let drawnPoints = 0
  for (const shape of shapes) {
    if (!intersects(shape.box, box)) continue
    cutter.add(shape)
    for (const { points } of shape.lines) drawnPoints += points.length / 3
    if (drawnPoints < pointsPerTurn) continue
    drawnPoints = 0
    await yieldThread()
  }
  const bytes = cutter.bytes()
  if (!bytes) return null
  return { gzipped: await compress(bytes), etag: `"${createHash('sha1').update(bytes).digest('base64url')}"` }
}
