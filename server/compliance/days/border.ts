import BufferOp from 'jsts/org/locationtech/jts/operation/buffer/BufferOp.js'
import BufferParameters from 'jsts/org/locationtech/jts/operation/buffer/BufferParameters.js'
import { type Area, type Box, getPolygons, type Position } from '#contract/place.ts'
import { convertFromJts, toJts } from '#server/geography/geometry/repair/jts.ts'
import type { DayRule } from './day-rule.ts'

/** Whether a place is within this many meters of the border of a shape. */
type NearBorder = (shape: number, lon: number, lat: number, meters: number) => boolean

const metersPerDegree = (Math.PI / 180) * 6_371_008.8
/** Size of the cells in which edges are looked up, about 200 m. */
const cellDegrees = 0.002
/** Edges that intersect more cells are tested for every place instead of being listed in each cell. */
const maxCellsPerEdge = 400
/** The grid is coarse; distances beyond this are not tested. */
const maxTestedMeters = 5000

/** Longitude and latitude of both ends. */
type Edge = readonly [ax: number, ay: number, bx: number, by: number]
const toCell = (degrees: number): number => Math.floor(degrees / cellDegrees)
const toCellKey = (x: number, y: number): number => x * 1_000_000 + y

/** Edges by the cells that their boxes intersect. */
class EdgeGrid {
  readonly #cells = new Map<number, Edge[]>()
  /** Edges that intersect more than `maxCellsPerEdge` cells. */
  readonly #long: Edge[] = []

  constructor(areas: readonly Area[]) {
    for (const area of areas)
      for (const ring of getPolygons(area).flat())
        for (let index = 0; index + 1 < ring.length; index++) {
          const [ax, ay] = ring[index] as [number, number]
          const [bx, by] = ring[index + 1] as [number, number]
          this.#insert([ax, ay, bx, by])
        }
  }

  #insert(edge: Edge): void {
    const [ax, ay, bx, by] = edge
    const west = toCell(Math.min(ax, bx))
    const east = toCell(Math.max(ax, bx))
    const south = toCell(Math.min(ay, by))
    const north = toCell(Math.max(ay, by))
    if ((east - west + 1) * (north - south + 1) > maxCellsPerEdge) return void this.#long.push(edge)
    for (let x = west; x <= east; x++)
      for (let y = south; y <= north; y++) {
        const existing = this.#cells.get(toCellKey(x, y))
        if (existing) existing.push(edge)
        else this.#cells.set(toCellKey(x, y), [edge])
      }
  }

  /** Whether a place is within a distance of any edge. */
  isNear(lon: number, lat: number, meters: number): boolean {
    const metersPerLon = metersPerDegree * Math.cos((lat * Math.PI) / 180)
    // Compares squared distances, which avoids a square root per edge.
    const isClose = ([ax, ay, bx, by]: Edge): boolean => {
      // In meters from the place: one end of the edge, and the vector to the other.
      const x0 = (ax - lon) * metersPerLon
      const y0 = (ay - lat) * metersPerDegree
      const dx = (bx - ax) * metersPerLon
      const dy = (by - ay) * metersPerDegree
      const lengthSquared = dx * dx + dy * dy
      // The nearest point of the edge is at the fraction `t` of its length.
      const t = lengthSquared === 0 ? 0 : Math.max(0, Math.min(1, -(x0 * dx + y0 * dy) / lengthSquared))
      const x = x0 + t * dx
      const y = y0 + t * dy
      return x * x + y * y < meters * meters
    }
    if (this.#long.some(isClose)) return true
    const lonMargin = meters / metersPerLon
    const latMargin = meters / metersPerDegree
    for (let x = toCell(lon - lonMargin); x <= toCell(lon + lonMargin); x++)
      for (let y = toCell(lat - latMargin); y <= toCell(lat + latMargin); y++)
        if (this.#cells.get(toCellKey(x, y))?.some(isClose)) return true
    return false
  }
}

/** Merges areas, so that edges between neighbors are not part of the border. */
const mergeAreas = (areas: readonly Area[]): Area => ({
  type: 'MultiPolygon',
  coordinates: convertFromJts(
    BufferOp.bufferOp(toJts.multiPolygon(areas.flatMap(getPolygons)), 0, new BufferParameters()),
  ) as Area['coordinates'] & [number, number][][][],
})

/** Returns a function that tests whether a place is near the border of a shape, numbered from 1. */
export function createBorderTest({ places, shapes }: Pick<DayRule, 'places' | 'shapes'>): NearBorder {
  const grids = new Map<number, EdgeGrid>()
  const findAreas = (shape: number): readonly Area[] => {
    if (places !== 'union') return shapes[shape - 1]?.areas ?? []
    const unionAreas = shapes.flatMap(({ areas }) => areas)
    return unionAreas.length > 1 ? [mergeAreas(unionAreas)] : unionAreas
  }
  return (shape, lon, lat, meters) => {
    let grid = grids.get(shape)
    if (!grid) grids.set(shape, (grid = new EdgeGrid(findAreas(shape))))
    return grid.isNear(lon, lat, Math.min(meters, maxTestedMeters))
  }
}

/** Square cells that cover everything near edges. The grid starts at `west`, `south`; `size`: degrees. */
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

/** Limits the size of the query that contains the cells. */
const maxCells = 10_000
/** Limits the time to find the cells. */
const maxEdges = 100_000
/** The cells cover all places within this distance of an edge. */
const nearMeters = 30
/** Beyond this latitude, in degrees, meridians are too close together for square cells. */
const maxLatitude = 85

const getBoundingBox = (positions: readonly Position[]): Box =>
  positions.reduce<Box>(
    ([west, south, east, north], [lon, lat]) => [
      Math.min(west, lon),
      Math.min(south, lat),
      Math.max(east, lon),
      Math.max(north, lat),
    ],
    [Infinity, Infinity, -Infinity, -Infinity],
  )

/** A grid of square cells, and the distance from edges that cells must cover. All in degrees. */
interface CellGrid {
  west: number
  south: number
  size: number
  columns: number
  lonMargin: number
  latMargin: number
}

/**
 * Adds the cells near an edge. A long edge is divided into parts of about the size of a cell, so that a
 * slanting one does not add all cells of its bounding box.
 */
function addCells(cells: Set<number>, [ax, ay]: Position, [bx, by]: Position, grid: CellGrid): void {
  const { west, south, size, columns, lonMargin, latMargin } = grid
  const toRow = (y: number): number => Math.floor((y - south) / size)
  const toColumn = (x: number): number => Math.max(0, Math.min(columns - 1, Math.floor((x - west) / size)))
  const length = Math.max(Math.abs(bx - ax), Math.abs(by - ay))
  const parts = Math.min(4 * maxCells, Math.max(1, Math.ceil(length / size)))
  for (let part = 0; part < parts; part++) {
    const [x0, y0, x1, y1] = [part, part + 1].flatMap((step) => [
      ax + ((bx - ax) * step) / parts,
      ay + ((by - ay) * step) / parts,
    ]) as [number, number, number, number]
    const lastRow = toRow(Math.max(y0, y1) + latMargin)
    const lastColumn = toColumn(Math.max(x0, x1) + lonMargin)
    for (let row = Math.max(0, toRow(Math.min(y0, y1) - latMargin)); row <= lastRow; row++)
      for (let column = toColumn(Math.min(x0, x1) - lonMargin); column <= lastColumn; column++)
        cells.add(row * columns + column)
  }
}

/**
 * Returns the cells near all edges of a rule's shapes, with which a query can exclude places far from a
 * border. Null if there are too many edges, or if one is too close to a pole.
 */
export function findCellsNearBorder({ shapes }: Pick<DayRule, 'shapes'>): BorderCells | null {
  const rings = shapes.flatMap(({ areas }) => areas.flatMap((area) => getPolygons(area).flat()))
  const positions = rings.flat()
  const [minLon, minLat, maxLon, maxLat] = getBoundingBox(positions)
  const farthestLatitude = Math.max(Math.abs(minLat), Math.abs(maxLat))
  if (!positions.length || positions.length > maxEdges || farthestLatitude > maxLatitude) return null
  // A margin of 0.1% covers rounding errors.
  const latMargin = (nearMeters * 1.001) / metersPerDegree
  const lonMargin = latMargin / Math.cos(((farthestLatitude + 0.1) * Math.PI) / 180)
  const west = minLon - lonMargin
  const south = minLat - latMargin
  // Doubles the size of cells until their number is within the limit.
  for (let size = 2 * latMargin; ; size *= 2) {
    const columns = Math.floor((maxLon + lonMargin - west) / size) + 1
    const grid = { west, south, size, columns, lonMargin, latMargin }
    const cells = new Set<number>()
    for (const ring of rings)
      for (let index = 0; index + 1 < ring.length && cells.size <= maxCells; index++)
        addCells(cells, ring[index] as Position, ring[index + 1] as Position, grid)
    if (cells.size <= maxCells) return { west, south, size, columns, cells: [...cells], meters: nearMeters }
  }
}
