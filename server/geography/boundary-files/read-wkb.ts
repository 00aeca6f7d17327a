import { GeometryProblem } from './boundary-file-error.ts'

/** An unvalidated GeoJSON geometry in the file's coordinates, with heights but without measures. */
interface WkbGeometry {
  type: string
  coordinates?: unknown
  geometries?: unknown[]
}

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
    return new WkbReader(bytes).geometry(0)
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

  geometry(depth: number): WkbGeometry {
    if (depth > maxDepth)
      throw new GeometryProblem(
        'bad-geometry',
        `contains geometry collections nested more than ${maxDepth} deep`,
      )
    const isLittleEndian = this.#view.getUint8(this.#offset) === 1
    const code = this.#view.getUint32(this.#offset + 1, isLittleEndian)
    this.#offset += 5
    // Heights and measures are indicated by the thousands of the code, or by its highest bits.
    if (code & 0x20000000) this.#offset += 4
    const plain = code & 0x0fffffff
    const extraDimensions =
      (plain >= 3000 ? 2 : plain >= 1000 ? 1 : 0) + (code & 0x80000000 ? 1 : 0) + (code & 0x40000000 ? 1 : 0)
    const type = types[plain % 1000]
    if (!type)
      throw new GeometryProblem(
        'bad-geometry',
        'has a geometry that is no area, line or point: curves must be made straight lines first',
      )
    const hasHeight = (code & 0x80000000) !== 0 || Math.floor(plain / 1000) % 2 === 1
    const position = (): number[] => this.#position(isLittleEndian, extraDimensions, hasHeight)
    const positions = (): number[][] => this.#list(isLittleEndian, 16 + 8 * extraDimensions, position)
    const rings = (): number[][][] => this.#list(isLittleEndian, 4, positions)
    const members = (): WkbGeometry[] => this.#list(isLittleEndian, 9, () => this.geometry(depth + 1))
    if (type === 'Point') {
      const only = position()
      return { type, coordinates: only.every(Number.isNaN) ? [] : only }
    }
    if (type === 'LineString') return { type, coordinates: positions() }
    if (type === 'Polygon') return { type, coordinates: rings() }
    if (type === 'GeometryCollection') return { type, geometries: members() }
    return { type, coordinates: members().map(({ coordinates }) => coordinates) }
  }

  #position(isLittleEndian: boolean, extraDimensions: number, hasHeight: boolean): number[] {
    const position = Array.from({ length: hasHeight ? 3 : 2 }, (_, axis) =>
      this.#view.getFloat64(this.#offset + 8 * axis, isLittleEndian),
    )
    this.#offset += 16 + 8 * extraDimensions
    return position
  }

  /** Reads a list. The count is checked first, so that an invalid one cannot allocate a huge array. */
  #list<Item>(isLittleEndian: boolean, minItemBytes: number, read: () => Item): Item[] {
    const count = this.#view.getUint32(this.#offset, isLittleEndian)
    this.#offset += 4
    if (count * minItemBytes > this.#view.byteLength - this.#offset)
      throw new RangeError('more parts than bytes')
    return Array.from({ length: count }, read)
  }
}
