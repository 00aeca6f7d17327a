import { GeometryProblem } from './boundary-file-error.ts'

/** An unvalidated GeoJSON geometry in the file's coordinates, with heights but without measures. */
interface WkbGeometry {
  type: string
  coordinates?: unknown
  geometries?: unknown[]
}

/** GeoJSON types by their code. */
const types = [
  '',
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
  'GeometryCollection',
]
const maxDepth = 16

/**
 * Parses well-known binary (OGC 06-103r4, with PostGIS's flags for heights).
 * @throws GeometryProblem if it is damaged or contains curves.
 */
export function readWkb(bytes: Uint8Array): WkbGeometry {
  try {
    return new WkbReader(bytes).readGeometry(0)
  } catch (error) {
    if (error instanceof RangeError)
      throw new GeometryProblem('bad-geometry', 'has a geometry that is cut off')
    throw error
  }
}

class WkbReader {
  readonly #view: DataView
  #offset = 0
  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  readGeometry(depth: number): WkbGeometry {
    if (depth > maxDepth)
      throw new GeometryProblem(
        'bad-geometry',
        `contains geometry collections nested more than ${maxDepth} deep`,
      )
    const isLittleEndian = this.#view.getUint8(this.#offset) === 1
    const code = this.#view.getUint32(this.#offset + 1, isLittleEndian)
    this.#offset += 5
    // PostGIS adds the id of the projection, four bytes.
    if (code & 0x20000000) this.#offset += 4
    // Heights (1), measures (2) or both (3) are indicated by the thousands of the code, or by its highest bits.
    const plainCode = code & 0x0fffffff
    const dimensionsCode = Math.floor(plainCode / 1000)
    const hasHeight = (code & 0x80000000) !== 0 || dimensionsCode % 2 === 1
    const hasMeasure = (code & 0x40000000) !== 0 || dimensionsCode >= 2
    const extraDimensions = (hasHeight ? 1 : 0) + (hasMeasure ? 1 : 0)
    const type = types[plainCode % 1000]
    if (!type)
      throw new GeometryProblem(
        'bad-geometry',
        'has a geometry that is no area, line or point: curves must be made straight lines first',
      )
    const readPosition = (): number[] => this.#readPosition(isLittleEndian, extraDimensions, hasHeight)
    const readLine = (): number[][] => this.#readList(isLittleEndian, 16 + 8 * extraDimensions, readPosition)
    const readRings = (): number[][][] => this.#readList(isLittleEndian, 4, readLine)
    const readMembers = () => this.#readList(isLittleEndian, 9, () => this.readGeometry(depth + 1))
    if (type === 'Point') {
      const position = readPosition()
      return { type, coordinates: position.every(Number.isNaN) ? [] : position }
    }
    if (type === 'LineString') return { type, coordinates: readLine() }
    if (type === 'Polygon') return { type, coordinates: readRings() }
    if (type === 'GeometryCollection') return { type, geometries: readMembers() }
    return { type, coordinates: readMembers().map(({ coordinates }) => coordinates) }
  }

  #readPosition(isLittleEndian: boolean, extraDimensions: number, hasHeight: boolean): number[] {
    const position = Array.from({ length: hasHeight ? 3 : 2 }, (_, axis) =>
      this.#view.getFloat64(this.#offset + 8 * axis, isLittleEndian),
    )
    this.#offset += 16 + 8 * extraDimensions
    return position
  }

  /** Reads a list. The count is checked first, so that an invalid one cannot allocate a huge array. */
  #readList<Item>(isLittleEndian: boolean, minItemBytes: number, readItem: () => Item): Item[] {
    const count = this.#view.getUint32(this.#offset, isLittleEndian)
    this.#offset += 4
    if (count * minItemBytes > this.#view.byteLength - this.#offset)
      throw new RangeError('more parts than bytes')
    return Array.from({ length: count }, readItem)
  }
}
