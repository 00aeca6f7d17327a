import { spanWithin } from './cells-of-edges.ts'
import { crossingAt, type Edge, toggles } from './edge.ts'
import type { Faces } from './faces.ts'
import { fine, fineReferenceX, fineReferenceY, type Grid, referenceX, referenceY } from './grid.ts'
import { edgeCode, type EdgeCell } from './layer-index.ts'
import { TooDense } from './too-dense.ts'

/** Shapes whose edges may meet in one finer cell: 2^6 faces at most. */
const mostCandidates = 6

/** As in cells-of-edges, of a finer cell. */
const margin = 1e-5

function edgesWithin(edges: readonly Edge[], x0: number, y0: number, dx: number, dy: number): Edge[] {
  const [left, right, low, high] = [x0 - margin * dx, x0 + dx + margin * dx, y0 - margin * dy, y0 + dy + margin * dy]
  return edges.filter((edge) => {
    if (edge.bx < left || edge.ax > right || Math.min(edge.ay, edge.by) > high || Math.max(edge.ay, edge.by) < low) return false
    const [from, to] = spanWithin(edge, low, high)
    return to >= left && from <= right
  })
}

function edgeCellOf(near: readonly Edge[], inside: ReadonlySet<number>, rx: number, ry: number, faces: Faces): EdgeCell {
  const candidates = [...new Set(near.flatMap(({ shapes }) => shapes))]
  if (candidates.length > mostCandidates) throw new TooDense(`${candidates.length} shapes meet in one spot`)
  const around = [...inside].filter((shape) => !candidates.includes(shape))
  const bitOf = (shapes: readonly number[]): number => shapes.reduce((bits, shape) => bits | (1 << candidates.indexOf(shape)), 0)
  return {
    rx,
    ry,
    ref: bitOf(candidates.filter((shape) => inside.has(shape))),
    faces: Array.from({ length: 1 << candidates.length }, (_, bits) => faces.of([...around, ...candidates.filter((_each, at) => bits & (1 << at))])),
    x0: near.map(({ ax }) => ax),
    x1: near.map(({ bx }) => bx),
    y0: near.map(({ ay }) => ay),
    slope: near.map(({ slope }) => slope),
    hx: near.map((edge) => crossingAt(edge, ry)),
    bit: near.map(({ shapes }) => bitOf(shapes)),
  }
}

/** The sets of shapes met in one cell, by which of its edges were crossed on the way from the reference point: few, asked often. */
function facesByCrossings(edges: readonly Edge[], inside: ReadonlySet<number>, faces: Faces) {
  const known = new Map<string, { set: ReadonlySet<number>; face: number }>()
  return (crossed: readonly number[]) => {
    const key = crossed.join()
    let found = known.get(key)
    if (!found) {
      const set = new Set(inside)
      for (const at of crossed) for (const shape of edges[at]?.shapes ?? []) if (!set.delete(shape)) set.add(shape)
      found = { set, face: faces.of(set) }
      known.set(key, found)
    }
    return found
  }
}

/** Codes of the finer cells of cell (i, j), which `edges` pass and whose reference point is in `inside`; new edge cells are added to the list. */
export function refineCell(grid: Grid, i: number, j: number, edges: readonly Edge[], inside: ReadonlySet<number>, faces: Faces, edgeCells: EdgeCell[]): Uint32Array {
  const codes = new Uint32Array(fine * fine)
  const [rx, ry] = [referenceX(grid, i), referenceY(grid, j)]
  const crossings = edges.map((edge) => crossingAt(edge, ry))
  const faceOf = facesByCrossings(edges, inside, faces)
  const [dx, dy] = [grid.dx / fine, grid.dy / fine]
  for (let b = 0; b < fine; b++) {
    const row = edgesWithin(edges, grid.west + i * grid.dx, grid.south + j * grid.dy + b * dy, grid.dx, dy)
    for (let a = 0; a < fine; a++) {
      const [px, py] = [fineReferenceX(grid, i, a), fineReferenceY(grid, j, b)]
      const crossed: number[] = []
      for (let at = 0; at < edges.length; at++) if (toggles(edges[at] as Edge, crossings[at] as number, rx, ry, px, py)) crossed.push(at)
      const { set, face } = faceOf(crossed)
      const near = row.length ? edgesWithin(row, grid.west + i * grid.dx + a * dx, grid.south + j * grid.dy + b * dy, dx, dy) : row
      if (!near.length) codes[b * fine + a] = face
      else {
        codes[b * fine + a] = edgeCode + edgeCells.length
        edgeCells.push(edgeCellOf(near, set, px, py, faces))
      }
    }
  }
  return codes
}
