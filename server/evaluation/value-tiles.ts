import { createHash } from 'node:crypto'
import type { GeoJSONVTFeature } from '@maplibre/geojson-vt'
import type { ShapeFigures } from '#contract/spatial.ts'
import { LayerTiles, type TiledLayer } from '#server/geography/tiles/layer-tiles.ts'
import { encodeTile, type Tile } from '#server/geography/tiles/draw-tile.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Size of the cache, in positions of all features. */
const maxCachedPositions = 1_000_000

const countPositions = (features: readonly GeoJSONVTFeature[]): number =>
  features.reduce((sum, { geometry }) => sum + geometry.flat().length, 0)

/** Vector tiles of layers with the properties `value` and `n`. Geometries are reused for all questions. */
export class ValueTiles {
  readonly #tiles: LayerTiles
  /** Features of tiles, by layer, content and tile. */
  readonly #features = new ComputedCache<{ features: GeoJSONVTFeature[] | null }>({
    maxSize: maxCachedPositions,
    getSize: ({ features }) => countPositions(features ?? []) + 1,
  })
  constructor(state: State) {
    this.#tiles = new LayerTiles(state)
  }

  /** Encodes a tile; null if it is empty. Shapes without a value do not have the property `value`. */
  async tile(
    scope: Scope,
    layer: TiledLayer,
    { z, x, y }: { z: number; x: number; y: number },
    figures: Readonly<Record<string, ShapeFigures>>,
  ): Promise<Tile | null> {
    const key = `${layer.shape_layer_uuid} ${layer.content_hash} ${z}/${x}/${y}`
    const { features } = await this.#features.get(key, async () => ({
      features: await this.#tiles.drawFeatures(scope, layer, { z, x, y }),
    }))
    if (!features) return null
    return encodeTile(
      features.map((feature): GeoJSONVTFeature => {
        const { shape_uuid, name } = feature.tags as { shape_uuid: string; name: string }
        const { value = null, n = 0 } = figures[shape_uuid] ?? {}
        return { ...feature, tags: { shape_uuid, name, n, ...(value === null ? {} : { value }) } }
      }),
    )
  }
}

/**
 * Returns the version in the URLs of value tiles. It includes the operators that the viewer may see, so that
 * the browser's cache never shows tiles of a viewer with other operators.
 */
export const getTilesVersion = ({ operators }: Pick<Scope, 'operators'>, version: string): string =>
  operators
    ? createHash('sha256')
        .update(JSON.stringify([version, operators]))
        .digest('base64url')
        .slice(0, 22)
    : version
