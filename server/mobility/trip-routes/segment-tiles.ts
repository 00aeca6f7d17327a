import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Tile } from '#server/geography/layer-tiles.ts'
import { LruCache } from '#server/stores/lru-cache.ts'
import type { StreetSegmentSet } from './route-streets.ts'

const compress = promisify(gzip)

/** Vector tiles of street segments, made on request and cached by the streets' content. The id of a segment is in the property `shape_uuid`. */
export class SegmentTiles {
  readonly #layers = new LruCache<Promise<GeoJSONVT>>(8)
  readonly #tiles = new LruCache<Tile>(3000)

  /** One tile; null where nothing lies in it. */
  async tile(streets: StreetSegmentSet, z: number, x: number, y: number): Promise<Tile | null> {
    const key = `segments ${streets.version} ${z}/${x}/${y}`
    const cached = this.#tiles.get(key)
    if (cached) return cached
    const index = await this.#layers.getOrCreate(streets.version, async () => buildTileIndex(streets))
    const found = index.getTile(z, x, y)
    if (!found) return null
    const tile = {
      gzipped: await compress(fromGeojsonVt({ shapes: found }, { version: 2, extent: 4096 })),
      etag: `"${createHash('sha1').update(key).digest('base64url')}"`,
    }
    this.#tiles.set(key, tile)
    return tile
  }
}

function buildTileIndex({ segments }: StreetSegmentSet): GeoJSONVT {
  const features = [...segments.values()].map(({ id, street, class: kind, coordinates }) => ({
    type: 'Feature' as const,
    geometry: { type: 'LineString' as const, coordinates: coordinates.map(([lon, lat]) => [lon, lat]) },
    properties: { shape_uuid: id, name: street, class: kind },
  }))
  return new GeoJSONVT(
    { type: 'FeatureCollection', features },
    { maxZoom: 16, indexMaxZoom: 5, indexMaxPoints: 100_000, tolerance: 3, extent: 4096, buffer: 64 },
  )
}
