import type { Box } from '#contract/place.ts'
import { findCrossing, type Edge, type Point, toggles } from './edge.ts'
import type { EdgeCellList } from './edge-cell-list.ts'
import type { Faces } from './faces.ts'
import { fine, fineReferenceX, fineReferenceY, type Grid, referenceX, referenceY } from './grid.ts'
import { edgeCode } from './layer-index.ts'

/** Tolerance for rounding, as a share of a finer cell (see edges-by-cell.ts). */
const margin = 1e-5

/** Returns the share of an edge, from its left end, that lies before it crosses a horizontal line. */
const getShareBefore = (y: number, { ay, by }: Edge): number => Math.max(0, Math.min(1, (y - ay) / (by - ay)))

function intersectsBox(edge: Edge, [left, low, right, high]: Box): boolean {
  const { ax, ay, bx, by } = edge
  if (bx < left || ax > right || (ay < by ? ay : by) > high || (ay < by ? by : ay) < low) return false
  if (ay === by) return true
  const lowShare = getShareBefore(low, edge)
  const highShare = getShareBefore(high, edge)
  const minX = ax + Math.min(lowShare, highShare) * (bx - ax)
  const maxX = ax + Math.max(lowShare, highShare) * (bx - ax)
  return maxX >= left && minX <= right
}

/** Returns the edges in a box with its lower left corner at (x, y), or within the margin around it. */
function filterEdges(
  edges: readonly Edge[],
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): Edge[] {
  const marginX = margin * width
  const marginY = margin * height
  const box: Box = [x - marginX, y - marginY, x + width + marginX, y + height + marginY]
  return edges.filter((edge) => intersectsBox(edge, box))
}

/**
 * The faces in one cell, by the edges that are crossed on the way from its reference point. Cached, because
 * few faces are looked up often.
 */
class FacesByCrossings {
  readonly #cache = new Map<string, number>()
  readonly #edges: readonly Edge[]
  readonly #inside: ReadonlySet<number>
  readonly #faces: Faces
  /** The face of the reference point. */
  readonly #referenceFace: number
  constructor(edges: readonly Edge[], inside: ReadonlySet<number>, faces: Faces) {
    this.#edges = edges
    this.#inside = inside
    this.#faces = faces
    this.#referenceFace = faces.getNumber(inside)
  }

  /** Returns the face beyond the crossed edges, given by their index. */
  get(crossed: readonly number[]): number {
    if (!crossed.length) return this.#referenceFace
    const key = crossed.join()
    let face = this.#cache.get(key)
    if (face === undefined) {
      const set = new Set(this.#inside)
      for (const edge of crossed)
        for (const shape of this.#edges[edge]?.shapes ?? []) if (!set.delete(shape)) set.add(shape)
      face = this.#faces.getNumber(set)
      this.#cache.set(key, face)
    }
    return face
  }
}

/** A cell of the grid that edges cross. */
interface CoarseCell {
  i: number
  j: number
  edges: readonly Edge[]
  /** The shapes that contain the reference point of the cell. */
  inside: ReadonlySet<number>
}

/** Computes the codes of the finer cells of a cell. Finer cells with edges are added to `edgeCells`. */
export function refineCell(
  grid: Grid,
  { i, j, edges, inside }: CoarseCell,
  faces: Faces,
  edgeCells: EdgeCellList,
): Uint32Array {
  const codes = new Uint32Array(fine * fine)
  const reference: Point = { x: referenceX(grid, i), y: referenceY(grid, j) }
  const crossings = edges.map((edge) => findCrossing(edge, reference.y))
  const byCrossings = new FacesByCrossings(edges, inside, faces)
  const dx = grid.dx / fine
  const dy = grid.dy / fine
  const crossed: number[] = []
  for (let b = 0; b < fine; b++) {
    const rowSouth = grid.south + j * grid.dy + b * dy
    const rowEdges = filterEdges(edges, {
      x: grid.west + i * grid.dx,
      y: rowSouth,
      width: grid.dx,
      height: dy,
    })
    const pointY = fineReferenceY(grid, j, b)
    for (let a = 0; a < fine; a++) {
      const point: Point = { x: fineReferenceX(grid, i, a), y: pointY }
      crossed.length = 0
      for (let index = 0; index < edges.length; index++)
        if (toggles(edges[index] as Edge, crossings[index] as number, reference, point)) crossed.push(index)
      const face = byCrossings.get(crossed)
      const cellEdges = rowEdges.length
        ? filterEdges(rowEdges, { x: grid.west + i * grid.dx + a * dx, y: rowSouth, width: dx, height: dy })
        : rowEdges
      if (!cellEdges.length) codes[b * fine + a] = face
      else {
        codes[b * fine + a] = edgeCode + edgeCells.length
        edgeCells.add(cellEdges, face, point.x, point.y)
      }
    }
  }
  return codes
}
