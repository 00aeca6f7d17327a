import { createHash } from 'node:crypto'
import { setImmediate as yieldThread } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type GeoJSONVTFeature, geoJSONToTile, type GeoJSONVTTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Geometry } from '#contract/place.ts'
import { computeBounds } from '../boundary-files/geometry-bounds.ts'
import { countPositions } from '../membership/read-layer-shapes.ts'

const compress = promisify(gzip)

/** An encoded tile, as it is sent. */
export interface Tile {
  gzipped: Uint8Array
  etag: string
}

/** A box in the world square of web maps, with coordinates from 0 to 1 eastward and southward. */
export type WorldBox = readonly [west: number, north: number, east: number, south: number]

/** A feature to draw on tiles, with its number of positions and its box. */
export interface TileSource {
  id: string
  geometry: Geometry
  properties: Readonly<Record<string, string>>
  positions: number
  box: WorldBox
}

/** Size of a tile, and of the margin around it that is drawn too, in tile units. */
const extent = 4096
const margin = 64
const options = {
  extent,
  buffer: margin,
  /** Tolerance of simplification in tile units. */
  tolerance: 3,
  /** From this zoom on, shapes are not simplified. */
  maxZoom: 16,
  clip: true,
}
/** Number of positions that are drawn before yielding to other requests: about ten milliseconds. */
const positionsPerTurn = 5000

const toWorldX = (lon: number): number => lon / 360 + 0.5
function toWorldY(lat: number): number {
  const sin = Math.sin((lat * Math.PI) / 180)
  return Math.min(1, Math.max(0, 0.5 - (0.25 * Math.log((1 + sin) / (1 - sin))) / Math.PI))
}

/** Makes a feature to draw from a geometry in degrees. */
export function makeTileSource(
  id: string,
  geometry: Geometry,
  properties: TileSource['properties'],
): TileSource {
  const [west, south, east, north] = computeBounds([geometry])
  const box: WorldBox = [toWorldX(west), toWorldY(north), toWorldX(east), toWorldY(south)]
  return { id, geometry, properties, positions: countPositions(geometry), box }
}

/** Returns the box of a tile including its margin. */
export function getBoxOfTile(z: number, x: number, y: number): WorldBox {
  const tilesPerSide = 2 ** z
  const overhang = margin / extent
  return [
    (x - overhang) / tilesPerSide,
    (y - overhang) / tilesPerSide,
    (x + 1 + overhang) / tilesPerSide,
    (y + 1 + overhang) / tilesPerSide,
  ]
}

export const intersects = (a: WorldBox, b: WorldBox): boolean =>
  a[0] < b[2] && a[2] >= b[0] && a[1] < b[3] && a[3] >= b[1]

/**
 * Draws the sources that intersect a tile, in their order, clipped to the tile and simplified for its zoom.
 * Sources that are too small to see are omitted. Null if no source intersects the tile.
 */
export async function drawTile(
  sources: readonly TileSource[],
  z: number,
  x: number,
  y: number,
): Promise<GeoJSONVTFeature[] | null> {
  const box = getBoxOfTile(z, x, y)
  const inTile = sources.filter((source) => intersects(source.box, box))
  if (!inTile.length) return null
  const drawn: GeoJSONVTFeature[] = []
  let batch: TileSource[] = []
  let positions = 0
  const drawBatch = (): void => {
    const features = batch.map(({ geometry, properties }) => ({
      type: 'Feature' as const,
      geometry,
      properties,
    }))
    // The library simplifies again at zooms above `maxZoom`.
    const maxZoom = Math.max(options.maxZoom, z)
    const tile = geoJSONToTile({ type: 'FeatureCollection', features }, z, x, y, { ...options, maxZoom })
    drawn.push(...tile.features)
    batch = []
    positions = 0
  }
  for (const source of inTile) {
    batch.push(source)
    positions += source.positions
    if (positions < positionsPerTurn) continue
    drawBatch()
    await yieldThread()
  }
  if (batch.length) drawBatch()
  return drawn
}

/** Encodes drawn features as a vector tile with the layer `shapes`. */
export async function encodeTile(features: readonly GeoJSONVTFeature[] | null): Promise<Tile | null> {
  if (!features) return null
  const bytes = fromGeojsonVt({ shapes: { features } as unknown as GeoJSONVTTile }, { version: 2, extent })
  return { gzipped: await compress(bytes), etag: `"${createHash('sha1').update(bytes).digest('base64url')}"` }
}
