import { BoundaryFileError } from './boundary-file-error.ts'
import { assembleRings } from './assemble-rings.ts'

interface ShpRecord {
  /** GeoJSON geometry in the file's coordinates; null for a null shape. */
  geometry: unknown
  /** Why the record cannot be read, as the end of a sentence that starts with the record; null if it can. */
  problem: string | null
}

/** The first number of every .shp file. */
const fileCode = 9994
const fileHeaderBytes = 100
const recordHeaderBytes = 8
/** Numbers of shape types, without the 10 or 20 that is added for shapes with heights or measures. */
const shapeTypes = { none: 0, point: 1, polyline: 3, polygon: 5, multipoint: 8 }
const maxMeasuredType = 28

/**
 * Reads the records of a .shp file (ESRI Shapefile Technical Description, July 1998), without Z and M values.
 * A damaged record does not affect the next ones; a truncated file gives the complete records and a last one
 * with the problem.
 */
export function* readShpRecords(bytes: Uint8Array, fileName: string): Generator<ShpRecord> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < fileHeaderBytes || view.getInt32(0) !== fileCode)
    throw new BoundaryFileError(
      'broken-shapefile',
      `${fileName} is not a shapefile: it does not begin like one.`,
    )
  let offset = fileHeaderBytes
  while (offset + recordHeaderBytes <= bytes.length) {
    // The length in the header counts 16-bit words.
    const length = view.getInt32(offset + 4) * 2
    offset += recordHeaderBytes
    if (length < 4 || offset + length > bytes.length) {
      yield { geometry: null, problem: `is cut off, and nothing after it in ${fileName} could be read` }
      return
    }
    yield readRecord(new DataView(bytes.buffer, bytes.byteOffset + offset, length))
    offset += length
  }
}

function readRecord(record: DataView): ShpRecord {
  const type = record.getInt32(0, true)
  try {
    if (type === shapeTypes.none) return { geometry: null, problem: null }
    // Types 11–18 append heights and 21–28 measures to the same two dimensions.
    const plainType = type > maxMeasuredType ? null : type % 10
    if (plainType === shapeTypes.point)
      return toRecord({ type: 'Point', coordinates: readPosition(record, 4) })
    if (plainType === shapeTypes.multipoint) {
      const coordinates = readPositions(record, 40, record.getInt32(36, true))
      return toRecord({ type: 'MultiPoint', coordinates })
    }
    if (plainType === shapeTypes.polyline)
      return toRecord({ type: 'MultiLineString', coordinates: readParts(record) })
    if (plainType === shapeTypes.polygon)
      return toRecord({ type: 'MultiPolygon', coordinates: assembleRings(readParts(record)) })
    return { geometry: null, problem: `has the shape type ${type}, which is not an area, a line or a point` }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { geometry: null, problem: 'is damaged: it is shorter than it declares' }
  }
}

/** Converts a geometry of one part to the single type, such as Polygon. */
function toRecord(geometry: { type: string; coordinates: unknown[] }): ShpRecord {
  const { type, coordinates } = geometry
  const isSingle = (type === 'MultiLineString' || type === 'MultiPolygon') && coordinates.length === 1
  return {
    geometry: isSingle ? { type: type.slice('Multi'.length), coordinates: coordinates[0] } : geometry,
    problem: null,
  }
}

/** Reads the lines or rings of a record: the index of each part's first position, then all positions. */
function readParts(record: DataView): number[][][] {
  const partCount = record.getInt32(36, true)
  const positionCount = record.getInt32(40, true)
  const parts: number[][][] = []
  const partsOffset = 44
  const positionsOffset = partsOffset + 4 * partCount
  for (let part = 0; part < partCount; part += 1) {
    const from = record.getInt32(partsOffset + 4 * part, true)
    const to = part + 1 < partCount ? record.getInt32(partsOffset + 4 * (part + 1), true) : positionCount
    if (from < 0 || to < from || to > positionCount) throw new RangeError('part out of bounds')
    if (to > from) parts.push(readPositions(record, positionsOffset + positionBytes * from, to - from))
  }
  return parts
}

/** Two 64-bit numbers. */
const positionBytes = 16

function readPositions(record: DataView, offset: number, count: number): number[][] {
  // The count is checked first, so that an invalid one cannot allocate a huge array.
  if (count < 0 || offset + positionBytes * count > record.byteLength)
    throw new RangeError('positions out of bounds')
  return Array.from({ length: count }, (_, index) => readPosition(record, offset + positionBytes * index))
}

function readPosition(record: DataView, offset: number): number[] {
  return [record.getFloat64(offset, true), record.getFloat64(offset + 8, true)]
}
