import type { Geometry, Position } from '#contract/place.ts'
import { computeBounds } from '../geometry-bounds.ts'

/** Shape types of the format. */
export const shpTypes = { point: 1, line: 3, area: 5, points: 8 } as const
export type ShpType = (typeof shpTypes)[keyof typeof shpTypes]

/** Reverses rings: unlike in GeoJSON, outer rings of shapefiles are clockwise, holes counterclockwise. */
const reverseRings = (rings: readonly Position[][]): Position[][] => rings.map((ring) => ring.toReversed())

function listParts(geometry: Geometry): Position[][] {
  switch (geometry.type) {
    case 'Point':
      return [[geometry.coordinates]]
    case 'MultiPoint':
    case 'LineString':
      return [geometry.coordinates]
    case 'MultiLineString':
      return geometry.coordinates
    case 'Polygon':
      return reverseRings(geometry.coordinates)
    case 'MultiPolygon':
      return geometry.coordinates.flatMap(reverseRings)
  }
}

function encodeRecord(type: ShpType, geometry: Geometry): Buffer {
  const parts = listParts(geometry)
  const positions = parts.flat()
  const hasParts = type === shpTypes.line || type === shpTypes.area
  let positionsOffset = hasParts ? 44 + 4 * parts.length : 40
  if (type === shpTypes.point) positionsOffset = 4
  const record = Buffer.alloc(positionsOffset + 16 * positions.length)
  record.writeInt32LE(type)
  if (type !== shpTypes.point)
    computeBounds([geometry]).forEach((value, index) => record.writeDoubleLE(value, 4 + 8 * index))
  if (hasParts) {
    record.writeInt32LE(parts.length, 36)
    record.writeInt32LE(positions.length, 40)
    let start = 0
    parts.forEach((part, index) => {
      record.writeInt32LE(start, 44 + 4 * index)
      start += part.length
    })
  } else if (type === shpTypes.points) record.writeInt32LE(positions.length, 36)
  positions.forEach(([x, y], index) => {
    record.writeDoubleLE(x, positionsOffset + 16 * index)
    record.writeDoubleLE(y, positionsOffset + 16 * index + 8)
  })
  return record
}

/** The first number of every .shp file, and the version of the format. */
const [fileCode, version] = [9994, 1000] as const

/** Makes the header of both files. The format counts lengths in 16-bit words, here and below. */
function makeHeader(type: ShpType, fileBytes: number, box: readonly number[]): Buffer {
  const header = Buffer.alloc(100)
  header.writeInt32BE(fileCode)
  header.writeInt32BE(fileBytes / 2, 24)
  header.writeInt32LE(version, 28)
  header.writeInt32LE(type, 32)
  box.forEach((value, index) => header.writeDoubleLE(value, 36 + 8 * index))
  return header
}

/** Writes geometries of one kind as .shp and index .shx (ESRI Shapefile Technical Description, July 1998). */
export function writeShp(
  type: ShpType,
  geometries: readonly Geometry[],
): { shp: Uint8Array; shx: Uint8Array } {
  const box = computeBounds(geometries)
  const records = geometries.map((geometry) => encodeRecord(type, geometry))
  const size = records.reduce((sum, { length }) => sum + 8 + length, 100)
  const shx = Buffer.alloc(100 + 8 * records.length)
  makeHeader(type, shx.length, box).copy(shx)
  const chunks: Buffer[] = [makeHeader(type, size, box)]
  let offset = 100
  records.forEach((record, index) => {
    const recordHeader = Buffer.alloc(8)
    recordHeader.writeInt32BE(index + 1)
    recordHeader.writeInt32BE(record.length / 2, 4)
    chunks.push(recordHeader, record)
    shx.writeInt32BE(offset / 2, 100 + 8 * index)
    shx.writeInt32BE(record.length / 2, 104 + 8 * index)
    offset += 8 + record.length
  })
  return { shp: Buffer.concat(chunks), shx }
}
