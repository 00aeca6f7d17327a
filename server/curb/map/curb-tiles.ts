import type { Geometry, Position } from '#contract/place.ts'
import {
  drawTile,
  encodeTile,
  type Tile,
  tileSource,
  type TileSource,
} from '#server/geography/tiles/draw-tile.ts'
import { ComputedCache } from '#server/stores/computed-cache.ts'
import type { CurbEpoch, CurbIndex, IndexedZone } from '../store/curb-index.ts'

const directions = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW']
/** A zone is drawn at its curb already; this moves it a little away from the street, as a share of half the width of a street. */
const outward = 0.4

/** On which side of its line, as drawn, the sidewalk is: 1 right, -1 left, 0 unknown. From the compass side of the street. */
function sidewalkSide(geometry: Geometry, side: string | null): -1 | 0 | 1 {
  const compass = side === null ? -1 : directions.indexOf(side)
  if (compass < 0 || geometry.type !== 'LineString') return 0
  const [first, last] = [geometry.coordinates[0], geometry.coordinates.at(-1)]
  if (!first || !last) return 0
  const toSidewalk = (compass * Math.PI) / 4
  const right = bearing(first, last) + Math.PI / 2
  const agreement = Math.cos(right - toSidewalk)
  return Math.abs(agreement) < 0.2 ? 0 : agreement > 0 ? 1 : -1
}

/** How far from its line a zone is drawn, as the side property of tiles has it. */
export const tileSide = ({ geometry, side }: Pick<IndexedZone, 'geometry' | 'side'>): string =>
  String(sidewalkSide(geometry, side) * outward)

/** Clockwise from north, in radians. */
function bearing([lonA, latA]: Position, [lonB, latB]: Position): number {
  const east = (lonB - lonA) * Math.cos((latA * Math.PI) / 180)
  return Math.atan2(east, latB - latA)
}

/** Tiles of curb zones with their rule sets, cached per epoch. */
export class CurbTiles {
  readonly #sources = new WeakMap<CurbEpoch, readonly TileSource[]>()
  readonly #tiles = new ComputedCache<{ tile: Tile | null }>({ max: 2000 })

  /** A tile; null if it is empty. `at`: an instant of the epoch. */
  async tile(index: CurbIndex, at: number, z: number, x: number, y: number): Promise<Tile | null> {
    const epoch = index.at(at)
    const key = [index.regionId, index.version, epoch.from, z, x, y].join(' ')
    const { tile } = await this.#tiles.get(key, async () => ({
      tile: await encodeTile(await drawTile(this.#sourcesOf(epoch), z, x, y)),
    }))
    return tile
  }

  #sourcesOf(epoch: CurbEpoch): readonly TileSource[] {
    const known = this.#sources.get(epoch)
    if (known) return known
    const source = (zone: IndexedZone): TileSource =>
      tileSource(zone.id, zone.geometry, {
        curb_zone_id: zone.id,
        rule_set: epoch.ruleSetOf.get(zone.id)?.id ?? '',
        side: tileSide(zone),
      })
    const sources = epoch.zones.map(source)
    this.#sources.set(epoch, sources)
    return sources
  }
}
