import { GeometryProblem } from './geometry-problem.ts'

/** GeoJSON geometry in the file's own coordinates, unchecked, heights as third numbers; measures are left out. */
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
const mostDeep = 16

/**
 * Well-known binary (OGC 06-103r4, and PostGIS's flags for heights).
 * @throws GeometryProblem when it is damaged or holds curves.
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
  #at = 0
  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  geometry(depth: number): WkbGeometry {
    if (depth > mostDeep)
      throw new GeometryProblem(
        'bad-geometry',
        `holds geometry collections nested more than ${mostDeep} deep`,
      )
    const little = this.#view.getUint8(this.#at) === 1
    const code = this.#view.getUint32(this.#at + 1, little)
    this.#at += 5
    // Heights and measures: thousands of the code, or its highest bits.
    if (code & 0x20000000) this.#at += 4
    const plain = code & 0x0fffffff
    const extra =
      (plain >= 3000 ? 2 : plain >= 1000 ? 1 : 0) + (code & 0x80000000 ? 1 : 0) + (code & 0x40000000 ? 1 : 0)
    const type = types[plain % 1000]
    if (!type)
      throw new GeometryProblem(
        'bad-geometry',
        'has a geometry that is no area, line or point: curves must be made straight lines first',
      )
    const isHigh = (code & 0x80000000) !== 0 || Math.floor(plain / 1000) % 2 === 1
    const position = (): number[] => this.#position(little, extra, isHigh)
    const positions = (): number[][] => this.#list(little, 16 + 8 * extra, position)
    const rings = (): number[][][] => this.#list(little, 4, positions)
    const members = (): WkbGeometry[] => this.#list(little, 9, () => this.geometry(depth + 1))
    if (type === 'Point') {
      const only = position()
      return { type, coordinates: only.every(Number.isNaN) ? [] : only }
    }
    if (type === 'LineString') return { type, coordinates: positions() }
    if (type === 'Polygon') return { type, coordinates: rings() }
    if (type === 'GeometryCollection') return { type, geometries: members() }
    return { type, coordinates: members().map(({ coordinates }) => coordinates) }
  }

  #position(little: boolean, extra: number, isHigh: boolean): number[] {
    const position = Array.from({ length: isHigh ? 3 : 2 }, (_, axis) =>
      this.#view.getFloat64(this.#at + 8 * axis, little),
    )
    this.#at += 16 + 8 * extra
    return position
  }

  /** Checked first: a false count must not make a huge array before the reads fail. */
  #list<Item>(little: boolean, leastBytes: number, read: () => Item): Item[] {
    const count = this.#view.getUint32(this.#at, little)
    this.#at += 4
    if (count * leastBytes > this.#view.byteLength - this.#at) throw new RangeError('more parts than bytes')
    return Array.from({ length: count }, read)
  }
}
