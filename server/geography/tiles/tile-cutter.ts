import { clipDots, clipLine, clipRing } from './clip-points.ts'
import {
  boxOfTile,
  intersects,
  type WorldBox,
  exactZoom,
  extent,
  tolerance,
  type TileLine,
  type TileShape,
} from './tile-shape.ts'

/** Writes the parts of Protocol Buffers that vector tiles use. */
class ByteWriter {
  #bytes = Buffer.allocUnsafe(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const wider = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more))
    this.#bytes.copy(wider, 0, 0, this.#length)
    this.#bytes = wider
  }

  /** A varint from 0 to 2^32. */
  varint(value: number): void {
    this.#reserve(5)
    let rest = value
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
    this.#bytes[this.#length++] = rest
  }

  number(field: number, value: number): void {
    this.varint(field << 3)
    this.varint(value)
  }

  text(field: number, value: string): void {
    const size = Buffer.byteLength(value)
    this.varint((field << 3) | 2)
    this.varint(size)
    this.#reserve(size)
    this.#length += this.#bytes.write(value, this.#length)
  }

  /** A field with the content of another writer. */
  message(field: number, other: ByteWriter): void {
    this.varint((field << 3) | 2)
    this.varint(other.#length)
    this.#reserve(other.#length)
    other.#bytes.copy(this.#bytes, this.#length, 0, other.#length)
    this.#length += other.#length
  }

  /** Clears the content and reuses the buffer. */
  clear(): void {
    this.#length = 0
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}

type Points = ArrayLike<number>

const moveTo = 1
const lineTo = 2
const closePath = 15

/** Builds a vector tile: clips shapes to it, simplifies them for its zoom, and encodes them. */
export class TileCutter {
  readonly #box: WorldBox
  readonly #side: number
  readonly #corner: readonly [number, number]
  /** Tolerance of simplification, in units of the world square. */
  readonly #tolerance: number
  readonly #layer = new ByteWriter()
  readonly #feature = new ByteWriter()
  readonly #tags = new ByteWriter()
  readonly #geometry = new ByteWriter()
  readonly #keys = new Map<string, number>()
  readonly #values = new Map<string, number>()
  #pen: [number, number] = [0, 0]
  #hasShapes = false

  constructor(z: number, x: number, y: number) {
    this.#box = boxOfTile(z, x, y)
    this.#side = 2 ** z
    this.#corner = [x, y]
    this.#tolerance = z >= exactZoom ? 0 : tolerance / (2 ** z * extent)
    this.#layer.number(15, 2)
    this.#layer.text(1, 'shapes')
  }

  add({ box, kind, lines, tags }: TileShape): void {
    if (!intersects(box, this.#box)) return
    this.#hasShapes = true
    this.#geometry.clear()
    this.#pen = [0, 0]
    for (const line of lines) {
      // Lines and rings below the tolerance are invisible.
      if (
        kind !== 1 &&
        this.#tolerance > 0 &&
        line.size < (kind === 3 ? this.#tolerance ** 2 : this.#tolerance)
      )
        continue
      for (const points of this.#clip(line.points, kind, box)) this.#draw(points, kind, line)
    }
    if (this.#geometry.length === 0) return
    this.#tags.clear()
    for (const [key, value] of Object.entries(tags)) {
      this.#tags.varint(indexIn(this.#keys, key))
      this.#tags.varint(indexIn(this.#values, value))
    }
    this.#feature.clear()
    this.#feature.message(2, this.#tags)
    this.#feature.number(3, kind)
    this.#feature.message(4, this.#geometry)
    this.#layer.message(2, this.#feature)
  }

  /** The tile; null if no shape intersects it. Its shapes may be too small to be drawn. */
  bytes(): Uint8Array | null {
    if (!this.#hasShapes) return null
    for (const key of this.#keys.keys()) this.#layer.text(3, key)
    for (const value of this.#values.keys()) {
      this.#feature.clear()
      this.#feature.text(1, value)
      this.#layer.message(4, this.#feature)
    }
    this.#layer.number(5, extent)
    const tile = new ByteWriter()
    tile.message(3, this.#layer)
    return tile.bytes()
  }

  #clip(points: Points, kind: TileShape['kind'], box: WorldBox): readonly Points[] {
    let parts: readonly Points[] = [points]
    for (const axis of [0, 1] as const) {
      const [from, to] = [this.#box[axis]!, this.#box[axis + 2]!]
      if (box[axis]! >= from && box[axis + 2]! < to) continue
      parts = parts.flatMap((part): Points[] =>
        kind === 1
          ? [clipDots(part, from, to, axis)]
          : kind === 2
            ? clipLine(part, from, to, axis)
            : [clipRing(part, from, to, axis)],
      )
    }
    return parts
  }

  #draw(points: Points, kind: TileShape['kind'], { isOuter }: TileLine): void {
    const minImportance = this.#tolerance ** 2
    const drawn: number[] = []
    for (let at = 0; at < points.length; at += 3)
      if (kind === 1 || minImportance === 0 || points[at + 2]! > minImportance)
        drawn.push(this.#toTileUnits(points[at]!, 0), this.#toTileUnits(points[at + 1]!, 1))
    if (drawn.length === 0) return
    if (kind === 1) {
      this.#command(moveTo, drawn.length / 2)
      for (let at = 0; at < drawn.length; at += 2) this.#goTo(drawn[at]!, drawn[at + 1]!)
      return
    }
    // The last point of a ring is omitted: the command ClosePath implies it.
    const isClosed = kind === 3 && drawn.length > 2 && drawn[0] === drawn.at(-2) && drawn[1] === drawn.at(-1)
    const count = drawn.length / 2 - (isClosed ? 1 : 0)
    const isReversed = kind === 3 && isClockwise(drawn) !== isOuter
    for (let step = 0; step < count; step++) {
      if (step === 0) this.#command(moveTo, 1)
      if (step === 1) this.#command(lineTo, count - 1)
      const at = 2 * (isReversed ? count - 1 - step : step)
      this.#goTo(drawn[at]!, drawn[at + 1]!)
    }
    if (kind === 3) this.#geometry.varint(closePath)
  }

  #toTileUnits(value: number, axis: 0 | 1): number {
    return Math.round(extent * (value * this.#side - this.#corner[axis]))
  }

  #command(id: number, count: number): void {
    this.#geometry.varint(count * 8 + id)
  }

  #goTo(x: number, y: number): void {
    this.#geometry.varint(zigzag(x - this.#pen[0]))
    this.#geometry.varint(zigzag(y - this.#pen[1]))
    this.#pen = [x, y]
  }
}

const zigzag = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0

/** Whether a ring is clockwise with y pointing down, as outer rings of vector tiles are. */
function isClockwise(ring: readonly number[]): boolean {
  let area = 0
  for (let at = 0, previous = ring.length - 2; at < ring.length; previous = at, at += 2)
    area += ring[previous]! * ring[at + 1]! - ring[at]! * ring[previous + 1]!
  return area >= 0
}

function indexIn(list: Map<string, number>, value: string): number {
  const known = list.get(value)
  if (known !== undefined) return known
  list.set(value, list.size)
  return list.size - 1
}
