import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Layer } from '#contract/geography.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { Recent } from './recent.ts'
import { layerGeometries } from './find-shapes.ts'

const compress = promisify(gzip)

/** A tile ready to send. */
export interface Tile {
  gzipped: Uint8Array
  etag: string
}

/** Vector tiles of layers, made when asked and kept by content: a layer that changes has another content. */
export class LayerTiles {
  readonly #state: State
  readonly #layers = new Recent<Promise<GeoJSONVT>>(24)
  readonly #tiles = new Recent<Tile>(4000)
  constructor(state: State) {
    this.#state = state
  }

  async #indexOf(scope: Scope, layer: Layer): Promise<GeoJSONVT> {
    const shapes = await layerGeometries(this.#state, scope, layer.shape_layer_uuid)
    const features = shapes.map(({ shapeId, name, geometry, properties }) => ({
      type: 'Feature' as const,
      geometry,
      properties: { shape_uuid: shapeId, name, ...(typeof properties['class'] === 'string' ? { class: properties['class'] } : {}) },
    }))
    return new GeoJSONVT({ type: 'FeatureCollection', features }, { maxZoom: 16, indexMaxZoom: 5, indexMaxPoints: 100_000, tolerance: 3, extent: 4096, buffer: 64 })
  }

  /** One tile; null where nothing lies in it. */
  async tile(scope: Scope, layer: Layer, z: number, x: number, y: number): Promise<Tile | null> {
    const key = `${layer.content_hash} ${z}/${x}/${y}`
    const kept = this.#tiles.get(key)
    if (kept) return kept
    const index = await this.#layers.getOrMake(layer.content_hash, () => this.#indexOf(scope, layer))
    const found = index.getTile(z, x, y)
    if (!found) return null
    const bytes = fromGeojsonVt({ shapes: found }, { version: 2, extent: 4096 })
    const tile = { gzipped: await compress(bytes), etag: `"${createHash('sha1').update(key).digest('base64url')}"` }
    this.#tiles.set(key, tile)
    return tile
  }
}
