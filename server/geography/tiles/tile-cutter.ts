import { clipDots, clipLine, clipRing } from './clip-points.ts'
import {
  boxOfTile,
  touches,
  type WorldBox,
  exactZoom,
  extent,
  tolerance,
  type TileLine,
  type TileShape,
} from './tile-shape.ts'

/** Bytes of a protocol buffer, as far as vector tiles need them. */
class ByteWriter {
  #bytes = Buffer.allocUnsafe(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const wider = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more))
    this.#bytes.copy(wider, 0, 0, this.#length)
    this.#bytes = wider
  }

  /** A whole number from 0 up to 2^32. */
  whole(value: number): void {
    this.#room(5)
    let rest = value
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
    this.#bytes[this.#length++] = rest
  }

  number(field: number, value: number): void {
    this.whole(field << 3)
    this.whole(value)
  }

  text(field: number, value: string): void {
    const size = Buffer.byteLength(value)
    this.whole((field << 3) | 2)
    this.whole(size)
    this.#room(size)
    this.#length += this.#bytes.write(value, this.#length)
  }

  /** What another writer holds. */
  part(field: number, other: ByteWriter): void {
    this.whole((field << 3) | 2)
    this.whole(other.#length)
    this.#room(other.#length)
    other.#bytes.copy(this.#bytes, this.#length, 0, other.#length)
    this.#length += other.#length
  }

  /** Begins anew, with the room it has. */
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

/** One vector tile in the making: shapes are clipped to it, simplified for its zoom, and written. */
export class TileCutter {
  readonly #box: WorldBox
  readonly #side: number
  readonly #corner: readonly [number, number]
  /** How far a line may be drawn off, in the world square. */
  readonly #off: number
  readonly #layer = new ByteWriter()
  readonly #feature = new ByteWriter()
  readonly #tags = new ByteWriter()
  readonly #geometry = new ByteWriter()
  readonly #keys = new Map<string, number>()
  readonly #values = new Map<string, number>()
  #pen: [number, number] = [0, 0]
  #isTouched = false

  constructor(z: number, x: number, y: number) {
    this.#box = boxOfTile(z, x, y)
    this.#side = 2 ** z
    this.#corner = [x, y]
    this.#off = z >= exactZoom ? 0 : tolerance / (2 ** z * extent)
    this.#layer.number(15, 2)
    this.#layer.text(1, 'shapes')
  }

  add({ box, kind, lines, tags }: TileShape): void {
    if (!touches(box, this.#box)) return
    this.#isTouched = true
    this.#geometry.clear()
    this.#pen = [0, 0]
    for (const line of lines) {
      // What is smaller than a line may be off is not seen.
      if (kind !== 1 && this.#off > 0 && line.size < (kind === 3 ? this.#off ** 2 : this.#off)) continue
      for (const points of this.#clipped(line.points, kind, box)) this.#draw(points, kind, line)
    }
    if (this.#geometry.length === 0) return
    this.#tags.clear()
    for (const [key, value] of Object.entries(tags)) {
      this.#tags.whole(numberIn(this.#keys, key))
      this.#tags.whole(numberIn(this.#values, value))
    }
    this.#feature.clear()
    this.#feature.part(2, this.#tags)
    this.#feature.number(3, kind)
    this.#feature.part(4, this.#geometry)
    this.#layer.part(2, this.#feature)
  }

  /** The tile; null where nothing lies in it. What lies in it may be too small to be drawn. */
  bytes(): Uint8Array | null {
    if (!this.#isTouched) return null
    for (const key of this.#keys.keys()) this.#layer.text(3, key)
    for (const value of this.#values.keys()) {
      this.#feature.clear()
      this.#feature.text(1, value)
      this.#layer.part(4, this.#feature)
    }
    this.#layer.number(5, extent)
    const tile = new ByteWriter()
    tile.part(3, this.#layer)
    return tile.bytes()
  }

  #clipped(points: Points, kind: TileShape['kind'], box: WorldBox): readonly Points[] {
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
    const off = this.#off ** 2
    const kept: number[] = []
    for (let at = 0; at < points.length; at += 3)
      if (kind === 1 || off === 0 || points[at + 2]! > off)
        kept.push(this.#units(points[at]!, 0), this.#units(points[at + 1]!, 1))
    if (kept.length === 0) return
    if (kind === 1) {
      this.#command(moveTo, kept.length / 2)
      for (let at = 0; at < kept.length; at += 2) this.#goTo(kept[at]!, kept[at + 1]!)
      return
    }
    // The end of a ring is told by closing it.
    const isClosed = kind === 3 && kept.length > 2 && kept[0] === kept.at(-2) && kept[1] === kept.at(-1)
    const count = kept.length / 2 - (isClosed ? 1 : 0)
    const isTurned = kind === 3 && isClockwise(kept) !== isOuter
    for (let step = 0; step < count; step++) {
      if (step === 0) this.#command(moveTo, 1)
      if (step === 1) this.#command(lineTo, count - 1)
      const at = 2 * (isTurned ? count - 1 - step : step)
      this.#goTo(kept[at]!, kept[at + 1]!)
    }
    if (kind === 3) this.#geometry.whole(closePath)
  }

  #units(value: number, axis: 0 | 1): number {
    return Math.round(extent * (value * this.#side - this.#corner[axis]))
  }

  #command(id: number, count: number): void {
    this.#geometry.whole(count * 8 + id)
  }

  #goTo(x: number, y: number): void {
    this.#geometry.whole(zigzag(x - this.#pen[0]))
    this.#geometry.whole(zigzag(y - this.#pen[1]))
    this.#pen = [x, y]
  }
}

const zigzag = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0

/** Whether a ring turns clockwise where y goes down, as outer rings of vector tiles do. */
function isClockwise(ring: readonly number[]): boolean {
  let area = 0
  for (let at = 0, before = ring.length - 2; at < ring.length; before = at, at += 2)
    area += ring[before]! * ring[at + 1]! - ring[at]! * ring[before + 1]!
  return area >= 0
}

function numberIn(list: Map<string, number>, value: string): number {
  const known = list.get(value)
  if (known !== undefined) return known
  list.set(value, list.size)
  return list.size - 1
}
