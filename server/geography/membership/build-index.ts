import { appendTo } from '#contract/group-by.ts'
import { groupEdgesByCell } from './edges-by-cell.ts'
import { boundEdges, findCrossing, type Edge, type NumberedShape } from './edge.ts'
import { collectEdges } from './edge-table.ts'
import { Faces } from './faces.ts'
import { refineCell } from './refine-cell.ts'
import { fine, firstReferenceFrom, type Grid, createGrid, referenceX, referenceY } from './grid.ts'
import { EdgeCellList, maxCandidates, TooDenseError } from './edge-cell-list.ts'
import { blockCode, type LayerIndex } from './layer-index.ts'

/**
 * Returns the number of coarse cells by the number of edges. Cells are about 100 m wide in a city, finer
 * cells 12 m. There are fewer cells for many edges, because borders are in most cells anyway, and for few
 * edges, because exact tests are quick. The index is then built in a quarter of the time.
 */
function chooseCellCount(edgeCount: number): number {
  if (edgeCount > 10_000) return 32_768
  return edgeCount > 1000 ? 65_536 : 8192
}

/** Returns, for each row, the columns with reference points at which shapes begin or end. */
function findRowEvents(grid: Grid, edges: readonly Edge[]): Map<number, [column: number, shape: number][]> {
  const events = new Map<number, [column: number, shape: number][]>()
  for (const edge of edges) {
    const from = Math.max(0, Math.floor((Math.min(edge.ay, edge.by) - grid.south) / grid.dy) - 1)
    const to = Math.min(grid.ny - 1, Math.floor((Math.max(edge.ay, edge.by) - grid.south) / grid.dy) + 1)
    for (let j = from; j <= to; j++) {
      const x = findCrossing(edge, referenceY(grid, j))
      if (x === Infinity) continue
      // The first reference point at or right of the crossing. Rounding may make the estimate one column off.
      let column = firstReferenceFrom(grid, x)
      while (column > 0 && x <= referenceX(grid, column - 1)) column--
      while (column < grid.nx && !(x <= referenceX(grid, column))) column++
      for (const shape of edge.shapes) appendTo(events, j, [column, shape])
    }
  }
  for (const rowEvents of events.values()) rowEvents.sort((a, b) => a[0] - b[0])
  return events
}

/** Builds one index. @throws TooDenseError if too many shapes meet in a cell. */
function buildIndex(grid: Grid, edges: readonly Edge[]): LayerIndex {
  const edgesByCell = groupEdgesByCell(grid, edges)
  const faces = new Faces()
  const coarseCount = grid.nx * grid.ny
  const codes = new Uint32Array(coarseCount + edgesByCell.size * fine * fine)
  const edgeCells = new EdgeCellList(faces)
  const events = findRowEvents(grid, edges)
  let blocks = 0
  for (let j = 0; j < grid.ny; j++) {
    const rowEvents = events.get(j) ?? []
    /** The shapes that contain the reference point of the current cell. */
    const inside = new Set<number>()
    let next = 0
    let face = 0
    for (let i = 0; i < grid.nx; i++) {
      let isChanged = false
      for (let event = rowEvents[next]; event && event[0] <= i; event = rowEvents[++next]) {
        const [, shape] = event
        isChanged = true
        if (!inside.delete(shape)) inside.add(shape)
      }
      if (isChanged) face = faces.getNumber(inside)
      const cell = j * grid.nx + i
      const cellEdges = edgesByCell.get(cell)
      if (!cellEdges) codes[cell] = face
      else {
        codes[cell] = blockCode + blocks
        const refined = refineCell(grid, { i, j, edges: cellEdges, inside }, faces, edgeCells)
        codes.set(refined, coarseCount + blocks * fine * fine)
        blocks++
      }
    }
  }
  return { grid, codes, edgeCells: edgeCells.toColumns(), ...faces.toColumns() }
}

/** Finds the shapes of each finer cell in which too many shapes meet. */
function findDenseCells(grid: Grid, edges: readonly Edge[]): number[][] {
  const finer: Grid = {
    ...grid,
    nx: grid.nx * fine,
    ny: grid.ny * fine,
    dx: grid.dx / fine,
    dy: grid.dy / fine,
  }
  const dense: number[][] = []
  for (const cellEdges of groupEdgesByCell(finer, edges).values()) {
    if (cellEdges.length <= maxCandidates) continue
    const shapes = new Set(cellEdges.flatMap((edge) => edge.shapes))
    if (shapes.size > maxCandidates) dense.push([...shapes])
  }
  return dense
}

/**
 * Divides shapes among few indexes. Each shape is added to the first index in which it does not meet too many
 * others. Halving the list would instead separate distant shapes and leave shapes that meet in one index.
 */
function divideShapes(
  shapes: readonly NumberedShape[],
  dense: readonly (readonly number[])[],
): NumberedShape[][] {
  const cellsByShape = new Map<number, number[]>()
  for (const [cell, meeting] of dense.entries()) {
    for (const shape of meeting) appendTo(cellsByShape, shape, cell)
  }
  const parts: { shapes: NumberedShape[]; counts: Uint16Array }[] = []
  for (const shape of shapes) {
    const cells = cellsByShape.get(shape.number) ?? []
    let part = parts.find(({ counts }) => cells.every((cell) => (counts[cell] as number) < maxCandidates))
    if (!part) parts.push((part = { shapes: [], counts: new Uint16Array(dense.length) }))
    part.shapes.push(shape)
    for (const cell of cells) part.counts[cell] = (part.counts[cell] as number) + 1
  }
  return parts.map((part) => part.shapes)
}

/** Builds one index, or divides the shapes in halves until no cell is too dense. */
function buildHalves(grid: Grid, shapes: readonly NumberedShape[]): LayerIndex[] {
  try {
    return [buildIndex(grid, collectEdges(shapes))]
  } catch (error) {
    if (!(error instanceof TooDenseError) || shapes.length === 1) throw error
    const half = Math.ceil(shapes.length / 2)
    return [...buildHalves(grid, shapes.slice(0, half)), ...buildHalves(grid, shapes.slice(half))]
  }
}

/**
 * Builds as few indexes as possible, usually one. The shapes at a point are those of all indexes.
 * @param cells the number of coarse cells, by default that of `chooseCellCount`
 */
export function buildIndexes(shapes: readonly NumberedShape[], cells?: number): LayerIndex[] {
  const edges = collectEdges(shapes)
  if (!edges.length) return []
  const grid = createGrid(boundEdges(edges), cells ?? chooseCellCount(edges.length))
  const dense = findDenseCells(grid, edges)
  if (!dense.length) return buildHalves(grid, shapes)
  return divideShapes(shapes, dense).flatMap((part) => buildHalves(grid, part))
}
