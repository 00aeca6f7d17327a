import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { ShapeFigures } from '#contract/spatial.ts'
import type { Tile } from '#server/geography/layer-tiles.ts'
import {
  readLayerShapes,
  positionsOf,
  type ReadShape,
} from '#server/geography/membership/read-layer-shapes.ts'
import { LruCache } from '#server/stores/lru-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

const compress = promisify(gzip)

/** Where a tile lies. */
interface TilePlace {
  z: number
  x: number
  y: number
}

/** Positions that are cut before others have their turn: some ten milliseconds. */
const positionsAtOnce = 5000

function cutOf(shapes: readonly ReadShape[]): GeoJSONVT {
  const features = shapes.map(({ shapeId, name, geometry }) => ({
    type: 'Feature' as const,
    geometry,
    properties: { shape_uuid: shapeId, name },
  }))
  return new GeoJSONVT(
    { type: 'FeatureCollection', features },
    { maxZoom: 16, indexMaxZoom: 5, indexMaxPoints: 100_000, tolerance: 3, extent: 4096, buffer: 64 },
  )
}

/** Vector tiles of layers whose shapes carry `value` and `n`. Geometry is cut once a layer, the values are put in when a tile is asked for. */
export class ValueTiles {
  readonly #state: State
  readonly #layers = new LruCache<Promise<GeoJSONVT[]>>(12)
  constructor(state: State) {
    this.#state = state
  }

  /** In parts, between which others have their turn. */
  async #cut(scope: Scope, layerId: string, content: string): Promise<GeoJSONVT[]> {
    const cut: GeoJSONVT[] = []
    let part: ReadShape[] = []
    let positions = 0
    for (const shape of await readLayerShapes(this.#state, scope, layerId, content)) {
      part.push(shape)
      positions += positionsOf(shape.geometry)
      if (positions < positionsAtOnce) continue
      cut.push(cutOf(part))
      part = []
      positions = 0
      await turn()
    }
    return part.length ? [...cut, cutOf(part)] : cut
  }

  /** One tile; null where nothing lies in it. `content`: the layer's. A shape without a value has none. */
  async tile(
    scope: Scope,
    layerId: string,
    content: string,
    { z, x, y }: TilePlace,
    figures: Readonly<Record<string, ShapeFigures>>,
  ): Promise<Tile | null> {
    const layer = await this.#layers.getOrCreate(`${layerId} ${content}`, () =>
      this.#cut(scope, layerId, content),
    )
    const [found, ...more] = layer.flatMap((part) => part.getTile(z, x, y) ?? [])
    if (!found) return null
    const features = [found, ...more]
      .flatMap((part) => part.features)
      .map((feature) => {
        const { value = null, n = 0 } = figures[String(feature.tags?.['shape_uuid'])] ?? {}
        return { ...feature, tags: { ...feature.tags, n, ...(value === null ? {} : { value }) } }
      })
    const bytes = fromGeojsonVt(
      { shapes: { ...found, features } as unknown as typeof found },
      { version: 2, extent: 4096 },
    )
    return {
      gzipped: await compress(bytes),
      etag: `"${createHash('sha1').update(bytes).digest('base64url')}"`,
    }
  }
}
