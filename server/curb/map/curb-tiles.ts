import type { Geometry, Position } from '#contract/place.ts'
import {
  drawTile,
  encodeTile,
  type Tile,
  makeTileSource,
  type TileSource,
} from '#server/geography/tiles/draw-tile.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { CurbEpoch, CurbIndex, IndexedZone } from '../store/curb-index.ts'

/** Compass directions clockwise from north. */
const directions = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW']
/** Below this cosine, a line points too much toward the sidewalk to have it on one side. */
const minAgreement = 0.2
/** Zones are drawn this far outward from their curb, as a share of half the width of a street. */
const outwardOffset = 0.4

/** Returns where the sidewalk is from the line, by the side of the street: 1 right, -1 left, 0 unknown. */
function getSidewalkSide(geometry: Geometry, side: string | null): -1 | 0 | 1 {
  const compass = side === null ? -1 : directions.indexOf(side)
  if (compass < 0 || geometry.type !== 'LineString') return 0
  const first = geometry.coordinates[0]
  const last = geometry.coordinates.at(-1)
  if (!first || !last) return 0
  const toSidewalk = (compass * Math.PI) / 4
  const right = computeBearing(first, last) + Math.PI / 2
  // 1 if the sidewalk is exactly to the right, -1 if to the left, near 0 if the line points toward it.
  const agreement = Math.cos(right - toSidewalk)
  if (Math.abs(agreement) < minAgreement) return 0
  return agreement > 0 ? 1 : -1
}

/** Returns the `side` of a zone in tiles: how far from its line it is drawn, positive to the right. */
export const getTileSide = ({ geometry, side }: Pick<IndexedZone, 'geometry' | 'side'>): string =>
  String(getSidewalkSide(geometry, side) * outwardOffset)

/** Returns the direction from one position to another, clockwise from north in radians. */
function computeBearing([lonA, latA]: Position, [lonB, latB]: Position): number {
  const east = (lonB - lonA) * Math.cos((latA * Math.PI) / 180)
  return Math.atan2(east, latB - latA)
}

/** Draws tiles of curb zones with their rule sets. Tiles are cached per epoch. */
export class CurbTiles {
  readonly #sources = new WeakMap<CurbEpoch, readonly TileSource[]>()
  readonly #tiles = new ComputedCache<{ tile: Tile | null }>({ max: 2000 })

  /** Returns the tile of the epoch at an instant. Null if it is empty. */
  async getTile(
    index: CurbIndex,
    at: number,
    { z, x, y }: { z: number; x: number; y: number },
  ): Promise<Tile | null> {
    const epoch = index.at(at)
    const key = [index.regionId, index.version, epoch.from, z, x, y].join(' ')
    const { tile } = await this.#tiles.get(key, async () => ({
      tile: await encodeTile(await drawTile(this.#getSources(epoch), z, x, y)),
    }))
    return tile
  }

  #getSources(epoch: CurbEpoch): readonly TileSource[] {
    const cached = this.#sources.get(epoch)
    if (cached) return cached
    const toSource = (zone: IndexedZone): TileSource =>
      makeTileSource(zone.id, zone.geometry, {
        curb_zone_id: zone.id,
        rule_set: epoch.ruleSetByZone.get(zone.id)?.id ?? '',
        side: getTileSide(zone),
      })
    const sources = epoch.zones.map(toSource)
    this.#sources.set(epoch, sources)
    return sources
  }
}
