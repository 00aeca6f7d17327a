import { groupEdgesByCell } from '#server/geography/membership/edges-by-cell.ts'
import { boundEdges, type Edge, type NumberedShape } from '#server/geography/membership/edge.ts'
import { collectEdges } from '#server/geography/membership/edge-table.ts'
import { type Grid, gridOver } from '#server/geography/membership/grid.ts'
import { escapeField } from '#server/stores/row-text.ts'
import type { RouteRow } from '../queries/route-shapes.ts'

/** Lists of numbers by number, one behind the other: list n is from `starts[n]` to `starts[n + 1]`. */
interface FlatLists {
  starts: Uint32Array
  items: Uint32Array
}

/** `fill` names each item of each list, the same both times it is called. */
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
/** Any coordinate that is not smaller than 2^-148 degrees times this is whole. */
const exactScale = 2 ** 200

const toExactInteger = (value: number): bigint => BigInt(Math.round(value * exactScale))

/** On which side of the line from a to b the point p lies: 1 left, -1 right, 0 on it. Without rounding. */
export function sideOf(ax: number, ay: number, bx: number, by: number, px: number, py: number): number {
  const left = (ax - px) * (by - py)
  const right = (ay - py) * (bx - px)
  const cross = left - right
  if (Math.abs(cross) > maxRelativeError * (Math.abs(left) + Math.abs(right))) return Math.sign(cross)
  const [x, y] = [toExactInteger(px), toExactInteger(py)]
  const product =
    (toExactInteger(ax) - x) * (toExactInteger(by) - y) - (toExactInteger(ay) - y) * (toExactInteger(bx) - x)
  return product > 0n ? 1 : product < 0n ? -1 : 0
}

/** Whether the straight stretches from a to b and from c to d have a point in common, ends and points counted. */
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
    sideOf(ax, ay, bx, by, cx, cy) * sideOf(ax, ay, bx, by, dx, dy) <= 0 &&
    sideOf(cx, cy, dx, dy, ax, ay) * sideOf(cx, cy, dx, dy, bx, by) <= 0
  )
}

/** Cells of the grid over a layer: some 100 m in a city. */
const defaultCellCount = 65_536
/** Share of a cell by which a segment counts for neighboring cells too, against rounding errors. */
const margin = 1e-6

/**
 * Tells which shapes a route intersects: of which it crosses or meets a border, or in which it lies. Exact for the positions as they are given, in doubles.
 * A border belongs to all shapes that it bounds. Called for hundreds of thousands of routes: nothing but flat arrays inside.
 */
export class IntersectionIndex {
  readonly #grid: Grid
  /** ax, ay, bx, by of each edge, from its left end to its right one. */
  readonly #edges: Float64Array
  readonly #shapesOfEdge: FlatLists
  readonly #cells: FlatLists
  /** Stretches of borders by row of cells: those of one shape in one row are a run, of which the box is as wide as they are. */
  readonly #rows: FlatLists
  readonly #runs: FlatLists
  readonly #runShapes: Uint32Array
  readonly #runsFrom: Float64Array
  readonly #runsTo: Float64Array
  /** By shape: the route that intersected it last. */
  readonly #lastRouteByShape: Uint32Array
  #route = 0

  constructor(shapes: readonly NumberedShape[], cells = defaultCellCount) {
    const edges = collectEdges(shapes)
    const grid = gridOver(edges.length ? boundEdges(edges) : [0, 0, 0, 0], edges.length ? cells : 1)
    const numbers = new Map(edges.map((edge, at) => [edge, at]))
    const passed = [...groupEdgesByCell(grid, edges)].map(([cell, near]) => ({
      cell,
      near: near.map((edge) => numbers.get(edge) as number),
    }))
    const rows = Array.from({ length: grid.ny }, () => new Map<number, Set<number>>())
    for (const { cell, near } of passed)
      for (const edge of near)
        for (const shape of edges[edge]?.shapes ?? []) {
          const row = rows[Math.floor(cell / grid.nx)]
          const run = row?.get(shape)
          if (run) run.add(edge)
          else row?.set(shape, new Set([edge]))
        }
    const runs = rows.flatMap((row, at) => [...row].map(([shape, of]) => ({ row: at, shape, of: [...of] })))
    const maxNumber = shapes.reduce((all, { number }) => Math.max(all, number), 0)
    this.#grid = grid
    this.#edges = Float64Array.from(edges.flatMap(({ ax, ay, bx, by }) => [ax, ay, bx, by]))
    this.#shapesOfEdge = buildFlatLists(edges.length, (add) =>
      edges.forEach((edge, at) => edge.shapes.forEach((shape) => add(at, shape))),
    )
    this.#cells = buildFlatLists(grid.nx * grid.ny, (add) =>
      passed.forEach(({ cell, near }) => near.forEach((edge) => add(cell, edge))),
    )
    this.#rows = buildFlatLists(grid.ny, (add) => runs.forEach(({ row }, run) => add(row, run)))
    this.#runs = buildFlatLists(runs.length, (add) =>
      runs.forEach(({ of }, run) => of.forEach((edge) => add(run, edge))),
    )
    this.#runShapes = Uint32Array.from(runs, ({ shape }) => shape)
    this.#runsFrom = Float64Array.from(runs, ({ of }) =>
      of.reduce((all, edge) => Math.min(all, (edges[edge] as Edge).ax), Infinity),
    )
    this.#runsTo = Float64Array.from(runs, ({ of }) =>
      of.reduce((all, edge) => Math.max(all, (edges[edge] as Edge).bx), -Infinity),
    )
    this.#lastRouteByShape = new Uint32Array(maxNumber + 1)
  }

  /** Numbers of the shapes that a route intersects, in order. Its positions in degrees, one after the other; a single one is a route too. */
  shapesIntersecting(lon: ArrayLike<number>, lat: ArrayLike<number>): number[] {
    const intersected: number[] = []
    if (!this.#edges.length || !lon.length) return intersected
    if (++this.#route === 2 ** 32) {
      this.#lastRouteByShape.fill(0)
      this.#route = 1
    }
    const last = lon.length - 1
    for (let at = 0; at < Math.max(last, 1); at++)
      this.#addCrossed(
        intersected,
        lon[at] as number,
        lat[at] as number,
        lon[Math.min(at + 1, last)] as number,
        lat[Math.min(at + 1, last)] as number,
      )
    // A shape with a border that the route does not cross contains all of it or nothing: its start decides.
    this.#addContaining(intersected, lon[0] as number, lat[0] as number)
    return intersected.sort((a, b) => a - b)
  }

  #addShape(intersected: number[], shape: number): void {
    if (this.#lastRouteByShape[shape] === this.#route) return
    this.#lastRouteByShape[shape] = this.#route
    intersected.push(shape)
  }

  /** Adds the shapes of which the borders a stretch meets. */
  #addCrossed(intersected: number[], ax: number, ay: number, bx: number, by: number): void {
    const { west, south, east, north, nx, ny, dx, dy } = this.#grid
    const [left, right, low, high] = [Math.min(ax, bx), Math.max(ax, bx), Math.min(ay, by), Math.max(ay, by)]
    if (!(right >= west && left <= east && high >= south && low <= north)) return
    const from = Math.max(0, Math.min(ny - 1, Math.floor((low - south) / dy - margin)))
    const to = Math.max(0, Math.min(ny - 1, Math.floor((high - south) / dy + margin)))
    for (let j = from; j <= to; j++) {
      // The part of the stretch within the row.
      let [x0, x1] = [left, right]
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
    const [left, right] = [Math.min(ax, bx), Math.max(ax, bx)]
    for (let at = starts[cell] as number; at < (starts[cell + 1] as number); at++) {
      const edge = items[at] as number
      const i = edge * 4
      // Most edges of a cell are beside a segment: this is tested first, because it is the cheapest test.
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
      for (let of = shapes.starts[edge] as number; of < (shapes.starts[edge + 1] as number); of++)
        this.#addShape(intersected, shapes.items[of] as number)
    }
  }

  /** Whether an edge bounds a shape that the route is not known to intersect. */
  #boundsNewShape(edge: number): boolean {
    const { starts, items } = this.#shapesOfEdge
    for (let at = starts[edge] as number; at < (starts[edge + 1] as number); at++)
      if (this.#lastRouteByShape[items[at] as number] !== this.#route) return true
    return false
  }

  /** Adds the shapes that a position lies in, by the even-odd rule. */
  #addContaining(intersected: number[], x: number, y: number): void {
    const { west, south, east, north, ny, dy } = this.#grid
    if (!(x >= west && x <= east && y >= south && y <= north)) return
    const row = Math.min(ny - 1, Math.floor((y - south) / dy))
    const { starts, items } = this.#rows
    for (let at = starts[row] as number; at < (starts[row + 1] as number); at++) {
      const run = items[at] as number
      const shape = this.#runShapes[run] as number
      // Beside all of the shape's border in the row, or known to intersect it.
      if (
        x < (this.#runsFrom[run] as number) ||
        x > (this.#runsTo[run] as number) ||
        this.#lastRouteByShape[shape] === this.#route
      )
        continue
      if (this.#isWithin(run, x, y)) this.#addShape(intersected, shape)
    }
  }

  #isWithin(run: number, x: number, y: number): boolean {
    const { starts, items } = this.#runs
    let isWithin = false
    for (let at = starts[run] as number; at < (starts[run + 1] as number); at++) {
      const i = (items[at] as number) * 4
      const [ax, ay, bx, by] = [
        this.#edges[i] as number,
        this.#edges[i + 1] as number,
        this.#edges[i + 2] as number,
        this.#edges[i + 3] as number,
      ]
      // A ray to the east: it crosses where the position lies west of the edge.
      if (
        ay <= y === by <= y ||
        bx < x ||
        (ay < by ? sideOf(ax, ay, bx, by, x, y) : sideOf(bx, by, ax, ay, x, y)) <= 0
      )
        continue
      isWithin = !isWithin
    }
    return isWithin
  }
}

const degrees = (millionths: string): number[] =>
  millionths === '' ? [] : millionths.split(' ').map((each) => Number(each) / 1e6)

/** The result of a list for a route, as a line of tab-separated text. */
export function routeShapeLine(
  tripRoute: RouteRow,
  index: IntersectionIndex,
  regionId: string,
  listId: string,
): string {
  const shapes = index.shapesIntersecting(degrees(tripRoute.lons), degrees(tripRoute.lats))
  return `${regionId}\t${listId}\t${tripRoute.day}\t${escapeField(tripRoute.operator)}\t${tripRoute.trip_id}\t${tripRoute.vehicle_type}\t${tripRoute.local_hour}\t[${shapes.join(',')}]\t0\t${tripRoute.version}\n`
}
