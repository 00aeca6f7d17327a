import BufferOp from 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js'
import BufferParameters from 'jsts/org/locationtech/jts/operation/buffer/BufferParameters.js'
import { type Area, type Box, polygonsOf, type Position } from '#contract/place.ts'
import { fromJts } from '#server/geography/repair/from-jts.ts'
import { toJts } from '#server/geography/repair/to-jts.ts'
import type { DayRule } from './day-rule.ts'

/** Whether a place lies nearer to the border of a ground than so many metres. */
type NearBorder = (ground: number, lon: number, lat: number, metres: number) => boolean

const metresPerDegree = (Math.PI / 180) * 6_371_008.8
/** Edges are looked up by cells of so many degrees: some 200 m. */
const cell = 0.002
type Edge = readonly [number, number, number, number]
const keyOf = (x: number, y: number): number => x * 1_000_000 + y

/** Edges by the cells that their box meets. */
class EdgeGrid {
  readonly #cells = new Map<number, Edge[]>()
  /** Edges too long to stand in each of their cells. */
  readonly #long: Edge[] = []

  constructor(areas: readonly Area[]) {
    for (const area of areas)
      for (const ring of polygonsOf(area).flat())
        for (let at = 0; at + 1 < ring.length; at++) {
          const [[ax, ay], [bx, by]] = [ring[at] as [number, number], ring[at + 1] as [number, number]]
          this.#put([ax, ay, bx, by])
        }
  }

  #put(edge: Edge): void {
    const [ax, ay, bx, by] = edge
    const [west, east, south, north] = [
      Math.min(ax, bx),
      Math.max(ax, bx),
      Math.min(ay, by),
      Math.max(ay, by),
    ].map((value) => Math.floor(value / cell)) as [number, number, number, number]
    if ((east - west + 1) * (north - south + 1) > 400) return void this.#long.push(edge)
    for (let x = west; x <= east; x++)
      for (let y = south; y <= north; y++) {
        const there = this.#cells.get(keyOf(x, y))
        if (there) there.push(edge)
        else this.#cells.set(keyOf(x, y), [edge])
      }
  }

  isNear(lon: number, lat: number, metres: number): boolean {
    const perLon = metresPerDegree * Math.cos((lat * Math.PI) / 180)
    // Squares of distances: no root is drawn for each edge.
    const isClose = ([ax, ay, bx, by]: Edge): boolean => {
      const [x0, y0, dx, dy] = [
        (ax - lon) * perLon,
        (ay - lat) * metresPerDegree,
        (bx - ax) * perLon,
        (by - ay) * metresPerDegree,
      ]
      const long = dx * dx + dy * dy
      const t = long === 0 ? 0 : Math.max(0, Math.min(1, -(x0 * dx + y0 * dy) / long))
      const [x, y] = [x0 + t * dx, y0 + t * dy]
      return x * x + y * y < metres * metres
    }
    if (this.#long.some(isClose)) return true
    const [wide, high] = [metres / perLon, metres / metresPerDegree]
    for (let x = Math.floor((lon - wide) / cell); x <= Math.floor((lon + wide) / cell); x++)
      for (let y = Math.floor((lat - high) / cell); y <= Math.floor((lat + high) / cell); y++)
        if (this.#cells.get(keyOf(x, y))?.some(isClose)) return true
    return false
  }
}

/** Areas as one: borders between neighbours are none. */
const together = (areas: readonly Area[]): Area => ({
  type: 'MultiPolygon',
  coordinates: fromJts(
    BufferOp.bufferOp(toJts.multiPolygon(areas.flatMap(polygonsOf)), 0, new BufferParameters()),
  ) as Area['coordinates'] & [number, number][][][],
})

/** Tells which places in a rule's grounds are too near to the border for what is known of them. Farther than 5 km nothing is accurate. */
export function borderOf({ places, grounds }: Pick<DayRule, 'places' | 'grounds'>): NearBorder {
  const grids = new Map<number, EdgeGrid>()
  const areasOf = (ground: number): readonly Area[] => {
    if (places !== 'union') return grounds[ground - 1]?.areas ?? []
    const all = grounds.flatMap(({ areas }) => areas)
    return all.length > 1 ? [together(all)] : all
  }
  return (ground, lon, lat, metres) => {
    let grid = grids.get(ground)
    if (!grid) grids.set(ground, (grid = new EdgeGrid(areasOf(ground))))
    return grid.isNear(lon, lat, Math.min(metres, 5000))
  }
}

/** Square cells of `size` degrees from `west` and `south`, `columns` a row: those that come near to an edge. */
export interface BorderCells {
  west: number
  south: number
  size: number
  columns: number
  /** Numbers row by row. */
  cells: number[]
  /** Every place nearer than so many metres to an edge lies in one of them. */
  metres: number
}

/** More are not worth the asking, nor are edges beyond these: each question carries them. */
const [mostCells, mostEdges] = [10_000, 100_000]

/** Cells about all edges of a rule's grounds, so that the store tells only places there; null: too many edges, or too near to a pole. */
export function cellsNearBorder({ grounds }: Pick<DayRule, 'grounds'>, metres = 30): BorderCells | null {
  const rings = grounds.flatMap(({ areas }) => areas.flatMap((area) => polygonsOf(area).flat()))
  const all = rings.flat()
  const box = all.reduce<Box>(
    ([west, south, east, north], [lon, lat]) => [
      Math.min(west, lon),
      Math.min(south, lat),
      Math.max(east, lon),
      Math.max(north, lat),
    ],
    [Infinity, Infinity, -Infinity, -Infinity],
  )
  const farthest = Math.max(Math.abs(box[1]), Math.abs(box[3]))
  if (!all.length || all.length > mostEdges || farthest > 85) return null
  // A little more than is asked: rounding moves nothing out of it.
  const high = (metres * 1.001) / metresPerDegree
  const wide = high / Math.cos(((farthest + 0.1) * Math.PI) / 180)
  const [west, south] = [box[0] - wide, box[1] - high]
  for (let size = 2 * high; ; size *= 2) {
    const columns = Math.floor((box[2] + wide - west) / size) + 1
    const cells = new Set<number>()
    for (const ring of rings)
      for (let at = 0; at + 1 < ring.length && cells.size <= mostCells; at++) {
        const [[ax, ay], [bx, by]] = [ring[at] as Position, ring[at + 1] as Position]
        const parts = Math.min(
          4 * mostCells,
          Math.max(1, Math.ceil(Math.max(Math.abs(bx - ax), Math.abs(by - ay)) / size)),
        )
        for (let part = 0; part < parts; part++) {
          const [x0, y0, x1, y1] = [part, part + 1].flatMap((step) => [
            ax + ((bx - ax) * step) / parts,
            ay + ((by - ay) * step) / parts,
          ]) as [number, number, number, number]
          const row = (y: number): number => Math.floor((y - south) / size)
          const column = (x: number): number =>
            Math.max(0, Math.min(columns - 1, Math.floor((x - west) / size)))
          for (let j = Math.max(0, row(Math.min(y0, y1) - high)); j <= row(Math.max(y0, y1) + high); j++)
            for (let i = column(Math.min(x0, x1) - wide); i <= column(Math.max(x0, x1) + wide); i++)
              cells.add(j * columns + i)
        }
      }
    if (cells.size <= mostCells) return { west, south, size, columns, cells: [...cells], metres }
  }
}
