import { groupEdgesByCell } from '#server/geography/membership/edges-by-cell.ts'
import { boundEdges, type Edge, type NumberedShape } from '#server/geography/membership/edge.ts'
import { collectEdges } from '#server/geography/membership/edge-table.ts'
import { type Grid, createGrid } from '#server/geography/membership/grid.ts'
import { escapeField } from '#server/stores/row-text.ts'
import type { RouteRow } from '../queries/route-shapes.ts'

/** Lists of integers in one array: list n is `items` from `starts[n]` to `starts[n + 1]`. */
interface FlatLists {
  starts: Uint32Array
  items: Uint32Array
}

/**
 * Builds lists from their items.
 * @param count the number of lists
 * @param fill adds every item of every list; called twice, to count and to store, with the same result
 */
export function buildFlatLists(
  count: number,
  fill: (add: (list: number, item: number) => void) => void,
): FlatLists {
  const starts = new Uint32Array(count + 1)
  fill((list) => starts[list + 1]!++)
  for (let list = 0; list < count; list++) starts[list + 1]! += starts[list] as number
  const items = new Uint32Array(starts[count] as number)
  const next = starts.slice(0, count)
  fill((list, item) => {
    items[next[list]!++] = item
  })
  return { starts, items }
}

/** Bound on the relative rounding error of a cross product in doubles (Shewchuk 1997, ccwerrboundA). */
const maxRelativeError = 3.4e-16
/** Coordinates above 2^-148 degrees have at most 53 significant bits, so times this they are integers. */
const exactScale = 2 ** 200

const toExactInteger = (value: number): bigint => BigInt(Math.round(value * exactScale))

// Coordinates are separate parameters here and below: pairs would be allocated for each edge of each route.

/**
 * Returns the side of the line from a to b on which the point p is: 1 left, -1 right, 0 on the line. Exact:
 * where rounding could change the sign, it is computed with integers.
 */
export function findSide(ax: number, ay: number, bx: number, by: number, px: number, py: number): number {
  const left = (ax - px) * (by - py)
  const right = (ay - py) * (bx - px)
  const cross = left - right
  if (Math.abs(cross) > maxRelativeError * (Math.abs(left) + Math.abs(right))) return Math.sign(cross)
  const x = toExactInteger(px)
  const y = toExactInteger(py)
  const exactCross =
    (toExactInteger(ax) - x) * (toExactInteger(by) - y) - (toExactInteger(ay) - y) * (toExactInteger(bx) - x)
  if (exactCross === 0n) return 0
  return exactCross > 0n ? 1 : -1
}

/** Whether the segments a–b and c–d have a point in common. Ends count, and a segment may be a point. */
export function doSegmentsIntersect(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false
  return (
    findSide(ax, ay, bx, by, cx, cy) * findSide(ax, ay, bx, by, dx, dy) <= 0 &&
    findSide(cx, cy, dx, dy, ax, ay) * findSide(cx, cy, dx, dy, bx, by) <= 0
  )
}

/** The number of grid cells over a layer: cells of about 100 m in a city. */
const defaultCellCount = 65_536
/** The fraction of a cell by which segments also count for neighboring cells, because of rounding errors. */
const margin = 1e-6

/**
 * Finds the shapes that a route intersects: it crosses or touches their border, or is inside. Exact for
 * coordinates as doubles. A border belongs to all shapes that it bounds. Uses flat arrays because it is
 * called for hundreds of thousands of routes.
 */
export class IntersectionIndex {
  readonly #grid: Grid
  /** ax, ay, bx, by of each edge, from its left end a to its right end b. */
  readonly #edges: Float64Array
  readonly #shapesOfEdge: FlatLists
  readonly #cells: FlatLists
  /** For the test whether a point is inside: the edges of a shape in one row of cells form a run. By row. */
  readonly #rows: FlatLists
  /** Edges by run. */
  readonly #runs: FlatLists
  /** The shape of each run, and the longitudes between which its edges are. */
  readonly #runShapes: Uint32Array
  readonly #runsFrom: Float64Array
  readonly #runsTo: Float64Array
  /** By shape: the last route that intersected it, which avoids clearing a set for each route. */
  readonly #lastRouteByShape: Uint32Array
  /** The number of the current route. */
  #route = 0

  constructor(shapes: readonly NumberedShape[], cells = defaultCellCount) {
    const edges = collectEdges(shapes)
    const grid = createGrid(edges.length ? boundEdges(edges) : [0, 0, 0, 0], edges.length ? cells : 1)
    const edgeIndexes = new Map(edges.map((edge, index) => [edge, index]))
    const cellEdges = [...groupEdgesByCell(grid, edges)].map(([cell, nearEdges]) => ({
      cell,
      indexes: nearEdges.map((edge) => edgeIndexes.get(edge) as number),
    }))
    const rows = Array.from({ length: grid.ny }, () => new Map<number, Set<number>>())
    for (const { cell, indexes } of cellEdges)
      for (const edge of indexes)
        for (const shape of edges[edge]?.shapes ?? []) {
          const row = rows[Math.floor(cell / grid.nx)]
          const run = row?.get(shape)
          if (run) run.add(edge)
          else row?.set(shape, new Set([edge]))
        }
    const runs = rows.flatMap((row, rowIndex) =>
      [...row].map(([shape, runEdges]) => ({ row: rowIndex, shape, edges: [...runEdges] })),
    )
    const maxNumber = shapes.reduce((max, { number }) => Math.max(max, number), 0)
    this.#grid = grid
    this.#edges = Float64Array.from(edges.flatMap(({ ax, ay, bx, by }) => [ax, ay, bx, by]))
    this.#shapesOfEdge = buildFlatLists(edges.length, (add) =>
      edges.forEach((edge, index) => edge.shapes.forEach((shape) => add(index, shape))),
    )
    this.#cells = buildFlatLists(grid.nx * grid.ny, (add) =>
      cellEdges.forEach(({ cell, indexes }) => indexes.forEach((edge) => add(cell, edge))),
    )
    this.#rows = buildFlatLists(grid.ny, (add) => runs.forEach(({ row }, run) => add(row, run)))
    this.#runs = buildFlatLists(runs.length, (add) =>
      runs.forEach((run, index) => run.edges.forEach((edge) => add(index, edge))),
    )
    this.#runShapes = Uint32Array.from(runs, ({ shape }) => shape)
    this.#runsFrom = Float64Array.from(runs, (run) =>
      run.edges.reduce((min, edge) => Math.min(min, (edges[edge] as Edge).ax), Infinity),
    )
    this.#runsTo = Float64Array.from(runs, (run) =>
      run.edges.reduce((max, edge) => Math.max(max, (edges[edge] as Edge).bx), -Infinity),
    )
    this.#lastRouteByShape = new Uint32Array(maxNumber + 1)
  }

  /**
   * Returns the sorted numbers of the shapes that a route intersects. Positions are in degrees; a route may
   * have only one.
   */
  findShapesIntersecting(lon: ArrayLike<number>, lat: ArrayLike<number>): number[] {
    const intersected: number[] = []
    if (!this.#edges.length || !lon.length) return intersected
    // Route numbers are stored in 32 bits; zero means that no route has intersected the shape.
    if (++this.#route === 2 ** 32) {
      this.#lastRouteByShape.fill(0)
      this.#route = 1
    }
    const last = lon.length - 1
    for (let i = 0; i < Math.max(last, 1); i++)
      this.#addCrossed(
        intersected,
        lon[i] as number,
        lat[i] as number,
        lon[Math.min(i + 1, last)] as number,
        lat[Math.min(i + 1, last)] as number,
      )
    // A shape whose border the route does not cross contains either all of the route or none of it, so one
    // point suffices.
    this.#addContaining(intersected, lon[0] as number, lat[0] as number)
    return intersected.sort((a, b) => a - b)
  }

  #addShape(intersected: number[], shape: number): void {
    if (this.#lastRouteByShape[shape] === this.#route) return
    this.#lastRouteByShape[shape] = this.#route
    intersected.push(shape)
  }

  /** Adds the shapes with borders that the segment from a to b crosses or touches. */
  #addCrossed(intersected: number[], ax: number, ay: number, bx: number, by: number): void {
    const { west, south, east, north, nx, ny, dx, dy } = this.#grid
    const left = Math.min(ax, bx)
    const right = Math.max(ax, bx)
    const low = Math.min(ay, by)
    const high = Math.max(ay, by)
    if (!(right >= west && left <= east && high >= south && low <= north)) return
    const from = Math.max(0, Math.min(ny - 1, Math.floor((low - south) / dy - margin)))
    const to = Math.max(0, Math.min(ny - 1, Math.floor((high - south) / dy + margin)))
    for (let j = from; j <= to; j++) {
      // The part of the segment within the row.
      let x0 = left
      let x1 = right
      if (from !== to && ay !== by) {
        const enter = Math.max(0, Math.min(1, (south + (j - margin) * dy - ay) / (by - ay)))
        const leave = Math.max(0, Math.min(1, (south + (j + 1 + margin) * dy - ay) / (by - ay)))
        x0 = ax + (ax <= bx ? Math.min(enter, leave) : Math.max(enter, leave)) * (bx - ax)
        x1 = ax + (ax <= bx ? Math.max(enter, leave) : Math.min(enter, leave)) * (bx - ax)
      }
      const first = Math.max(0, Math.min(nx - 1, Math.floor((x0 - west) / dx - margin)))
      const last = Math.max(0, Math.min(nx - 1, Math.floor((x1 - west) / dx + margin)))
      for (let cell = j * nx + first; cell <= j * nx + last; cell++)
        this.#addCrossedInCell(intersected, cell, ax, ay, bx, by)
    }
  }

  #addCrossedInCell(
    intersected: number[],
    cell: number,
    ax: number,
    ay: number,
    bx: number,
    by: number,
  ): void {
    const { starts, items } = this.#cells
    const left = Math.min(ax, bx)
    const right = Math.max(ax, bx)
    for (let item = starts[cell] as number; item < (starts[cell + 1] as number); item++) {
      const edge = items[item] as number
      const i = edge * 4
      // Most edges of a cell are left or right of the segment. That is the cheapest test, so it comes first.
      if (
        (this.#edges[i] as number) > right ||
        (this.#edges[i + 2] as number) < left ||
        !this.#boundsNewShape(edge)
      )
        continue
      if (
        !doSegmentsIntersect(
          ax,
          ay,
          bx,
          by,
          this.#edges[i] as number,
          this.#edges[i + 1] as number,
          this.#edges[i + 2] as number,
          this.#edges[i + 3] as number,
        )
      )
        continue
      const shapes = this.#shapesOfEdge
      for (let k = shapes.starts[edge] as number; k < (shapes.starts[edge + 1] as number); k++)
        this.#addShape(intersected, shapes.items[k] as number)
    }
  }

  /** Whether an edge bounds a shape that is not among the intersected ones yet. */
  #boundsNewShape(edge: number): boolean {
    const { starts, items } = this.#shapesOfEdge
    for (let i = starts[edge] as number; i < (starts[edge + 1] as number); i++)
      if (this.#lastRouteByShape[items[i] as number] !== this.#route) return true
    return false
  }

  /** Adds the shapes that contain a position, by the even-odd rule. */
  #addContaining(intersected: number[], x: number, y: number): void {
    const { west, south, east, north, ny, dy } = this.#grid
    if (!(x >= west && x <= east && y >= south && y <= north)) return
    const row = Math.min(ny - 1, Math.floor((y - south) / dy))
    const { starts, items } = this.#rows
    for (let i = starts[row] as number; i < (starts[row + 1] as number); i++) {
      const run = items[i] as number
      const shape = this.#runShapes[run] as number
      // The position is left or right of all edges of the shape in this row, or the shape was added before.
      if (
        x < (this.#runsFrom[run] as number) ||
        x > (this.#runsTo[run] as number) ||
        this.#lastRouteByShape[shape] === this.#route
      )
        continue
      if (this.#isWithin(run, x, y)) this.#addShape(intersected, shape)
    }
  }

  /** Whether a position is in the shape of a run. */
  #isWithin(run: number, x: number, y: number): boolean {
    const { starts, items } = this.#runs
    let isWithin = false
    for (let item = starts[run] as number; item < (starts[run + 1] as number); item++) {
      const i = (items[item] as number) * 4
      const [ax, ay, bx, by] = [
        this.#edges[i] as number,
        this.#edges[i + 1] as number,
        this.#edges[i + 2] as number,
        this.#edges[i + 3] as number,
      ]
      // Counts crossings of a ray to the east: it crosses the edges that are east of the position.
      if (
        ay <= y === by <= y ||
        bx < x ||
        (ay < by ? findSide(ax, ay, bx, by, x, y) : findSide(bx, by, ax, ay, x, y)) <= 0
      )
        continue
      isWithin = !isWithin
    }
    return isWithin
  }
}

const parseDegrees = (millionths: string): number[] =>
  millionths === '' ? [] : millionths.split(' ').map((text) => Number(text) / 1e6)

/** Returns the shapes of a list that a route intersects, as a line for the fact store. */
export function makeRouteShapeLine(
  tripRoute: RouteRow,
  index: IntersectionIndex,
  regionId: string,
  listId: string,
): string {
  const shapes = index.findShapesIntersecting(parseDegrees(tripRoute.lons), parseDegrees(tripRoute.lats))
  return (
    `${regionId}\t${listId}\t${tripRoute.day}\t${escapeField(tripRoute.operator)}\t` +
    `${tripRoute.trip_id}\t${tripRoute.vehicle_type}\t${tripRoute.local_hour}\t` +
    `[${shapes.join(',')}]\t0\t${tripRoute.version}\n`
  )
}
