import BufferOp from 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js'
import BufferParameters from 'jsts/org/locationtech/jts/operation/buffer/BufferParameters.js'
import { type Area, type Box, polygonsOf, type Position } from '#contract/place.ts'
import { fromJts, toJts } from '#server/geography/geometry/repair/jts.ts'
import type { DayRule } from './day-rule.ts'

/** Whether a place is within this many meters of the border of a shape. */
type NearBorder = (shape: number, lon: number, lat: number, meters: number) => boolean

const metersPerDegree = (Math.PI / 180) * 6_371_008.8
/** Edges are looked up in cells of this many degrees, about 200 m. */
const cell = 0.002
type Edge = readonly [number, number, number, number]
const keyOf = (x: number, y: number): number => x * 1_000_000 + y

/** Edges by the cells that their boxes intersect. */
class EdgeGrid {
  readonly #cells = new Map<number, Edge[]>()
  /** Edges that span too many cells to be listed in each. */
  readonly #long: Edge[] = []

  constructor(areas: readonly Area[]) {
    for (const area of areas)
      for (const ring of polygonsOf(area).flat())
        for (let at = 0; at + 1 < ring.length; at++) {
          const [[ax, ay], [bx, by]] = [ring[at] as [number, number], ring[at + 1] as [number, number]]
          this.#insert([ax, ay, bx, by])
        }
  }

  #insert(edge: Edge): void {
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

  isNear(lon: number, lat: number, meters: number): boolean {
    const perLon = metersPerDegree * Math.cos((lat * Math.PI) / 180)
    // Squared distances: no square root per edge.
    const isClose = ([ax, ay, bx, by]: Edge): boolean => {
      const [x0, y0, dx, dy] = [
        (ax - lon) * perLon,
        (ay - lat) * metersPerDegree,
        (bx - ax) * perLon,
        (by - ay) * metersPerDegree,
      ]
      const long = dx * dx + dy * dy
      const t = long === 0 ? 0 : Math.max(0, Math.min(1, -(x0 * dx + y0 * dy) / long))
      const [x, y] = [x0 + t * dx, y0 + t * dy]
      return x * x + y * y < meters * meters
    }
    if (this.#long.some(isClose)) return true
    const [wide, high] = [meters / perLon, meters / metersPerDegree]
    for (let x = Math.floor((lon - wide) / cell); x <= Math.floor((lon + wide) / cell); x++)
      for (let y = Math.floor((lat - high) / cell); y <= Math.floor((lat + high) / cell); y++)
        if (this.#cells.get(keyOf(x, y))?.some(isClose)) return true
    return false
  }
}

/** Areas as one: edges between neighbors are no border. */
const mergeAreas = (areas: readonly Area[]): Area => ({
  type: 'MultiPolygon',
  coordinates: fromJts(
    BufferOp.bufferOp(toJts.multiPolygon(areas.flatMap(polygonsOf)), 0, new BufferParameters()),
  ) as Area['coordinates'] & [number, number][][][],
})

/** Finds places too close to the border of a rule's shapes for their accuracy. Beyond 5 km nothing is close. */
export function borderOf({ places, shapes }: Pick<DayRule, 'places' | 'shapes'>): NearBorder {
  const grids = new Map<number, EdgeGrid>()
  const areasOf = (shape: number): readonly Area[] => {
    if (places !== 'union') return shapes[shape - 1]?.areas ?? []
    const all = shapes.flatMap(({ areas }) => areas)
    return all.length > 1 ? [mergeAreas(all)] : all
  }
  return (shape, lon, lat, meters) => {
    let grid = grids.get(shape)
    if (!grid) grids.set(shape, (grid = new EdgeGrid(areasOf(shape))))
    return grid.isNear(lon, lat, Math.min(meters, 5000))
  }
}

/** Square cells of `size` degrees from `west` and `south`, `columns` per row, that cover the surroundings of edges. */
export interface BorderCells {
  west: number
  south: number
  size: number
  columns: number
  /** Cell numbers, row by row. */
  cells: number[]
  /** Every place within this many meters of an edge is in one of the cells. */
  meters: number
}

/** Beyond these limits a query, which contains the cells, becomes too large. */
const [maxCells, maxEdges] = [10_000, 100_000]

/** Places this close to an edge are in a cell. */
const nearMeters = 30

/** Cells around all edges of a rule's shapes, so that a query returns only places there; null if there are too many edges or one is too near a pole. */
export function cellsNearBorder({ shapes }: Pick<DayRule, 'shapes'>): BorderCells | null {
  const rings = shapes.flatMap(({ areas }) => areas.flatMap((area) => polygonsOf(area).flat()))
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
  if (!all.length || all.length > maxEdges || farthest > 85) return null
  // Slightly larger than requested, against rounding errors.
  const high = (nearMeters * 1.001) / metersPerDegree
  const wide = high / Math.cos(((farthest + 0.1) * Math.PI) / 180)
  const [west, south] = [box[0] - wide, box[1] - high]
  for (let size = 2 * high; ; size *= 2) {
    const columns = Math.floor((box[2] + wide - west) / size) + 1
    const cells = new Set<number>()
    for (const ring of rings)
      for (let at = 0; at + 1 < ring.length && cells.size <= maxCells; at++) {
        const [[ax, ay], [bx, by]] = [ring[at] as Position, ring[at + 1] as Position]
        const parts = Math.min(
          4 * maxCells,
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
    if (cells.size <= maxCells) return { west, south, size, columns, cells: [...cells], meters: nearMeters }
  }
}
