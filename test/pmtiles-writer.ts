import { gzipSync } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { varint } from './osm-writer.ts'

interface Writing {
  /** GeoJSON features by name of the layer. */
  layers: Record<string, GeoJSON.Feature[]>
  attribution?: string
  /** Bytes of the header that are overwritten, by offset. */
  wrong?: Record<number, number>
  /** Replaces the JSON metadata. */
  description?: Buffer
}

/** Writes a PMTiles file with a single tile at zoom 0. */
export function writePmtiles({ layers, attribution = '', wrong = {}, description }: Writing): Buffer {
  const tiles = Object.entries(layers).map(
    ([name, features]) =>
      [
        name,
        new GeoJSONVT({ type: 'FeatureCollection', features }, { maxZoom: 0, indexMaxZoom: 0 }).getTile(
          0,
          0,
          0,
        ),
      ] as const,
  )
  const tile = gzipSync(
    fromGeojsonVt(Object.fromEntries(tiles.flatMap(([name, found]) => (found ? [[name, found]] : []))), {
      version: 2,
      extent: 4096,
    }),
  )
  // One directory entry: tile id 0, run length 1, length, offset 0.
  const directory = gzipSync(
    Buffer.from([...varint(1), ...varint(0), ...varint(1), ...varint(tile.length), ...varint(1)]),
  )
  const about =
    description ??
    gzipSync(
      JSON.stringify({ attribution, vector_layers: Object.keys(layers).map((id) => ({ id, fields: {} })) }),
    )
  const head = Buffer.alloc(127)
  head.write('PMTiles', 'latin1')
  head[7] = 3
  const places = [
    [127, directory.length],
    [127 + directory.length, about.length],
    [0, 0],
    [127 + directory.length + about.length, tile.length],
    [1, 1],
    [1],
  ].flat()
  places.forEach((value, index) => head.writeBigUInt64LE(BigInt(value), 8 + 8 * index))
  // Clustered, directories and tiles compressed with gzip, vector tiles, zoom levels 0 to 0.
  ;[1, 2, 2, 1, 0, 0].forEach((value, index) => (head[96 + index] = value))
  ;[-180, -85, 180, 85].forEach((degrees, index) => head.writeInt32LE(degrees * 1e7, 102 + 4 * index))
  for (const [offset, value] of Object.entries(wrong)) head[Number(offset)] = value
  return Buffer.concat([head, directory, about, tile])
}
