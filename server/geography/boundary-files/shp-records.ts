import { BoundaryFileError } from './boundary-file-error.ts'
import { assembleRings } from './assemble-rings.ts'

interface ShpRecord {
  /** GeoJSON geometry in the file's coordinates; null for a null shape. */
  geometry: unknown
  /** Why the record cannot be read, as the end of a sentence that starts with the record; null if it can. */
  problem: string | null
}

const headerBytes = 100

/**
 * Reads the records of a .shp file (ESRI Shapefile Technical Description, July 1998), without Z and M values.
 * A damaged record does not affect the next ones; a truncated file gives the complete records and a last one
 * with the problem.
 */
export function* shpRecords(bytes: Uint8Array, fileName: string): Generator<ShpRecord> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < headerBytes || view.getInt32(0) !== 9994)
    throw new BoundaryFileError(
      'broken-shapefile',
      `${fileName} is not a shapefile: it does not begin like one.`,
    )
  let offset = headerBytes
  while (offset + 8 <= bytes.length) {
    const length = view.getInt32(offset + 4) * 2
    offset += 8
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
    if (type === 0) return { geometry: null, problem: null }
    // Types 11–18 append heights and 21–28 measures to the same two dimensions.
    const plain = type > 10 ? type % 10 : type
    if (type <= 28 && plain === 1) return toRecord({ type: 'Point', coordinates: position(record, 4) })
    if (type <= 28 && plain === 8)
      return toRecord({ type: 'MultiPoint', coordinates: positions(record, 40, record.getInt32(36, true)) })
    if (type <= 28 && plain === 3) return toRecord({ type: 'MultiLineString', coordinates: parts(record) })
    if (type <= 28 && plain === 5)
      return toRecord({ type: 'MultiPolygon', coordinates: assembleRings(parts(record)) })
    return { geometry: null, problem: `has the shape type ${type}, which is not an area, a line or a point` }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { geometry: null, problem: 'is damaged: it is shorter than it says' }
  }
}

function toRecord(geometry: { type: string; coordinates: unknown[] }): ShpRecord {
  const { type, coordinates } = geometry
  const single = type === 'MultiLineString' || type === 'MultiPolygon' ? coordinates.length === 1 : false
  return {
    geometry: single ? { type: type.slice('Multi'.length), coordinates: coordinates[0] } : geometry,
    problem: null,
  }
}

function parts(record: DataView): number[][][] {
  const count = record.getInt32(36, true)
  const total = record.getInt32(40, true)
  const lines: number[][][] = []
  const first = 44 + 4 * count
  for (let part = 0; part < count; part += 1) {
    const from = record.getInt32(44 + 4 * part, true)
    const to = part + 1 < count ? record.getInt32(48 + 4 * part, true) : total
    if (from < 0 || to < from || to > total) throw new RangeError('part out of bounds')
    if (to > from) lines.push(positions(record, first + 16 * from, to - from))
  }
  return lines
}

function positions(record: DataView, offset: number, count: number): number[][] {
  // The count is checked first, so that an invalid one cannot allocate a huge array.
  if (count < 0 || offset + 16 * count > record.byteLength) throw new RangeError('positions out of bounds')
  return Array.from({ length: count }, (_, index) => position(record, offset + 16 * index))
}

function position(record: DataView, offset: number): number[] {
  return [record.getFloat64(offset, true), record.getFloat64(offset + 8, true)]
}
