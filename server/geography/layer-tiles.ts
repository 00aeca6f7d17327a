import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Layer } from '#contract/geography.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { LruCache } from '#server/stores/lru-cache.ts'
import { type FreshShapes, freshShapes } from './tiles/fresh-shapes.ts'
import { boxOfTile, touches, type TileShape } from './tiles/tile-shape.ts'
import { TileCutter } from './tiles/tile-cutter.ts'

const compress = promisify(gzip)

/** A tile ready to send. */
export interface Tile {
  gzipped: Uint8Array
  etag: string
}

/** `content_hash` changes with the shapes. */
export type TiledLayer = Pick<Layer, 'shape_layer_uuid' | 'content_hash'>

interface CachedLayer {
  content: string
  shapes: Promise<readonly TileShape[]>
  /** Of this content, by place; those that no change touched are those of the content before. */
  tiles: LruCache<Promise<Tile | null>>
}

/** Tiles that are kept of a layer, and layers that are kept. */
const maxTilesPerLayer = 800
const maxLayers = 24
/** Places that are drawn before others have their turn. */
const pointsPerTurn = 20_000

/** Vector tiles of layers. A layer is read when it is first asked for; after a change only what has changed is read and cut anew. */
export class LayerTiles {
  readonly #state: State
  readonly #layers = new LruCache<CachedLayer>(maxLayers)
  constructor(state: State) {
    this.#state = state
  }

  /** One tile; null where nothing lies in it. */
  async tile(scope: Scope, layer: TiledLayer, z: number, x: number, y: number): Promise<Tile | null> {
    const { shapes, tiles } = this.#cached(scope, layer)
    const at = await shapes
    return tiles.getOrCreate(`${z}/${x}/${y}`, () => buildTile(at, z, x, y))
  }

  /** Has the layer's shapes ready, so that its first tile is quick. */
  async prepare(scope: Scope, layer: Layer): Promise<void> {
    await this.#cached(scope, layer).shapes
  }

  #cached(scope: Scope, { shape_layer_uuid: id, content_hash: content }: TiledLayer): CachedLayer {
    const before = this.#layers.get(id)
    if (before?.content === content) return before
    const tiles = new LruCache<Promise<Tile | null>>(maxTilesPerLayer)
    const cachedLayer: CachedLayer = { content, tiles, shapes: this.#read(scope, id, before, tiles) }
    this.#layers.set(id, cachedLayer)
    cachedLayer.shapes.catch(() => {
      if (this.#layers.get(id) === cachedLayer) this.#layers.delete(id)
    })
    return cachedLayer
  }

  async #read(
    scope: Scope,
    id: string,
    before: CachedLayer | undefined,
    tiles: CachedLayer['tiles'],
  ): Promise<readonly TileShape[]> {
    const old = (await before?.shapes.catch(() => undefined)) ?? []
    const { shapes, touched: changedBoxes } = await freshShapes(this.#state, scope, id, old)
    if (before && old.length > 0) reuseTiles(before.tiles, tiles, changedBoxes)
    return shapes
  }
}

function reuseTiles(
  from: CachedLayer['tiles'],
  to: CachedLayer['tiles'],
  changed: FreshShapes['touched'],
): void {
  for (const [place, tile] of from.entries()) {
    const box = boxOfTile(...(place.split('/').map(Number) as [number, number, number]))
    if (!changed.some((each) => touches(each, box))) to.set(place, tile)
  }
}

async function buildTile(
  shapes: readonly TileShape[],
  z: number,
  x: number,
  y: number,
): Promise<Tile | null> {
  const [box, cutter] = [boxOfTile(z, x, y), new TileCutter(z, x, y)]
  let drawn = 0
  for (const shape of shapes) {
    if (!touches(shape.box, box)) continue
    cutter.add(shape)
    for (const { points } of shape.lines) drawn += points.length / 3
    if (drawn < pointsPerTurn) continue
    drawn = 0
    await turn()
  }
  const bytes = cutter.bytes()
  if (!bytes) return null
  return { gzipped: await compress(bytes), etag: `"${createHash('sha1').update(bytes).digest('base64url')}"` }
}
