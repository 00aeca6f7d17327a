import {
  drawTile,
  encodeTile,
  type Tile,
  type TileSource,
  makeTileSource,
} from '#server/geography/tiles/draw-tile.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { StreetSegmentSet } from './route-streets.ts'

/**
 * Vector tiles of street segments, cached by the content of the streets layer. The property `shape_uuid` is
 * the segment's id.
 */
export class SegmentTiles {
  readonly #sources = new WeakMap<StreetSegmentSet, readonly TileSource[]>()
  readonly #tiles = new ComputedCache<{ tile: Tile | null }>({ max: 3000 })

  /** Returns null if the tile is empty. */
  async getTile(streets: StreetSegmentSet, z: number, x: number, y: number): Promise<Tile | null> {
    const { tile } = await this.#tiles.get(`${streets.version} ${z}/${x}/${y}`, async () => ({
      tile: await encodeTile(await drawTile(this.#getSources(streets), z, x, y)),
    }))
    return tile
  }

  #getSources(streets: StreetSegmentSet): readonly TileSource[] {
    const cachedSources = this.#sources.get(streets)
    if (cachedSources) return cachedSources
    const sources = [...streets.segments.values()].map(({ id, street, class: kind, coordinates }) =>
      makeTileSource(
        id,
        { type: 'LineString', coordinates: coordinates.map(([lon, lat]) => [lon, lat]) },
        { shape_uuid: id, name: street, class: kind },
      ),
    )
    this.#sources.set(streets, sources)
    return sources
  }
}
