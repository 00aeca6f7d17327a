import { cellsOfEdges } from './cells-of-edges.ts'
import { boxOfEdges, crossingAt, type Edge, type NumberedShape } from './edge.ts'
import { edgesOf } from './edges-of.ts'
import { Faces } from './faces.ts'
import { refineCell } from './refine-cell.ts'
import { TooDense } from './too-dense.ts'
import { fine, firstReferenceFrom, type Grid, gridOver, referenceX, referenceY } from './grid.ts'
import { EdgeCellList } from './edge-cell-list.ts'
import { blockCode, type LayerIndex } from './layer-index.ts'

/** Cells of the coarse grid: some 100 m in a city, 12 m for the finer ones; larger where so many borders make most cells border cells. */
const cellsFor = (edges: number): number => (edges > 10_000 ? 32_768 : 65_536)

/** For each row, the columns where a shape begins and ends, at the row's reference points. */
function rowEvents(grid: Grid, edges: readonly Edge[]): Map<number, [column: number, shape: number][]> {
  const events = new Map<number, [number, number][]>()
  for (const edge of edges) {
    const from = Math.max(0, Math.floor((Math.min(edge.ay, edge.by) - grid.south) / grid.dy) - 1)
    const to = Math.min(grid.ny - 1, Math.floor((Math.max(edge.ay, edge.by) - grid.south) / grid.dy) + 1)
    for (let j = from; j <= to; j++) {
      const x = crossingAt(edge, referenceY(grid, j))
      if (x === Infinity) continue
      // The first reference point at or right of the crossing; rounding may put the division one column off.
      let column = firstReferenceFrom(grid, x)
      while (column > 0 && x <= referenceX(grid, column - 1)) column--
      while (column < grid.nx && !(x <= referenceX(grid, column))) column++
      const list = events.get(j) ?? []
      events.set(j, list)
      for (const shape of edge.shapes) list.push([column, shape])
    }
  }
  for (const list of events.values()) list.sort((a, b) => a[0] - b[0])
  return events
}

/** One index over shapes. Throws TooDense where too many meet. */
export function buildIndex(shapes: readonly NumberedShape[], cells?: number): LayerIndex | null {
  const edges = edgesOf(shapes)
  if (!edges.length) return null
  const grid = gridOver(boxOfEdges(edges), cells ?? cellsFor(edges.length))
  const passed = cellsOfEdges(grid, edges)
  const faces = new Faces()
  const coarse = grid.nx * grid.ny
  const codes = new Uint32Array(coarse + passed.size * fine * fine)
  const edgeCells = new EdgeCellList(faces)
  const events = rowEvents(grid, edges)
  let blocks = 0
  for (let j = 0; j < grid.ny; j++) {
    const list = events.get(j) ?? []
    const inside = new Set<number>()
    let next = 0
    let face = 0
    for (let i = 0; i < grid.nx; i++) {
      let changed = false
      for (let event = list[next]; event && event[0] <= i; event = list[++next]) {
        changed = true
        if (!inside.delete(event[1])) inside.add(event[1])
      }
      if (changed) face = faces.of(inside)
      const cell = j * grid.nx + i
      const near = passed.get(cell)
      if (!near) codes[cell] = face
      else {
        codes[cell] = blockCode + blocks
        codes.set(refineCell(grid, i, j, near, inside, faces, edgeCells), coarse + blocks * fine * fine)
        blocks++
      }
    }
  }
  return { grid, codes, edgeCells: edgeCells.columns(), ...faces.columns() }
}

/** As many indexes as it takes: one, where not more than a few shapes meet in a spot. A point is in the shapes of all of them. */
export function buildIndexes(shapes: readonly NumberedShape[], cells?: number): LayerIndex[] {
  try {
    const index = buildIndex(shapes, cells)
    return index ? [index] : []
  } catch (error) {
    if (!(error instanceof TooDense) || shapes.length === 1) throw error
    const half = Math.ceil(shapes.length / 2)
    return [...buildIndexes(shapes.slice(0, half), cells), ...buildIndexes(shapes.slice(half), cells)]
  }
}
