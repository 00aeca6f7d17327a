import type { Mesh } from '../plane/mesh.ts'
import type { Faces } from '../plane/trace-faces.ts'
import type { DrawnLine } from '../streets/drawn-line.ts'
import type { Cell } from './cell.ts'

/** Square metres below which an area is no neighbourhood of its own. */
const LEAST = 450_000
const count = 62
/** Smaller islands belong to the mainland. */
const islet = 250_000

/** For each cell its neighbourhood, counted from 0; -1 for water and what lies outside. Small cells join their likeliest neighbour. */
export function groupCells(
  mesh: Mesh,
  faces: Faces,
  cells: readonly Cell[],
  lines: readonly DrawnLine[],
): number[] {
  const group = cells.map((cell, i) => (cell.zone < 0 ? -1 : i))
  const area = new Map<number, number>()
  group.forEach((g, i) => g >= 0 && area.set(g, cells[i]!.area))
  const borders = borderLengths(mesh, faces, group, lines)
  for (;;) {
    const mergeable = [...area].filter(([g, size]) => (borders.get(g)?.size ?? 0) > 0 || size < islet)
    if (mergeable.length === 0 || area.size === 1) break
    const [smallest, size] = mergeable.reduce((least, next) => (next[1] < least[1] ? next : least))
    if (size > LEAST && area.size <= count) break
    const into = likeliest(smallest, cells, area, borders) ?? nearest(smallest, cells, area)
    group.forEach((g, i) => g === smallest && (group[i] = into))
    area.set(into, area.get(into)! + size)
    area.delete(smallest)
    for (const [other, length] of borders.get(smallest) ?? []) {
      borders.get(other)!.delete(smallest)
      if (other === into) continue
      addBorder(borders, into, other, length)
    }
    borders.delete(smallest)
  }
  const order = [...area.keys()]
  return group.map((g) => order.indexOf(g))
}

type Borders = Map<number, Map<number, number>>

function borderLengths(
  mesh: Mesh,
  faces: Faces,
  group: readonly number[],
  lines: readonly DrawnLine[],
): Borders {
  const borders: Borders = new Map()
  for (let e = 0; e < mesh.from.length; e++) {
    const [a, b] = [faces.of[2 * e]!, faces.of[2 * e + 1]!]
    if (a < 0 || b < 0 || a === b || group[a]! < 0 || group[b]! < 0) continue
    const [v, w] = [mesh.from[e]!, mesh.to[e]!]
    const kind = lines[mesh.line[e]!]!.kind
    // A park belongs to those around it, a freeway parts them.
    const weight = kind === 'freeway' ? 0.25 : kind === 'arterial' ? 1 : 2
    addBorder(borders, a, b, weight * Math.hypot(mesh.x[v]! - mesh.x[w]!, mesh.y[v]! - mesh.y[w]!))
  }
  return borders
}

function addBorder(borders: Borders, a: number, b: number, length: number): void {
  for (const [p, q] of [
    [a, b],
    [b, a],
  ] as const) {
    const row = borders.get(p) ?? new Map<number, number>()
    row.set(q, (row.get(q) ?? 0) + length)
    borders.set(p, row)
  }
}

function likeliest(
  from: number,
  cells: readonly Cell[],
  area: ReadonlyMap<number, number>,
  borders: Borders,
): number | undefined {
  let best: number | undefined
  let most = -1
  for (const [other, length] of borders.get(from) ?? []) {
    const same = cells[other]!.zone === cells[from]!.zone ? 3 : 1
    const score = (length * same) / Math.sqrt(area.get(other)! + LEAST)
    if (score > most) [best, most] = [other, score]
  }
  return best
}

/** An islet belongs to what lies nearest. */
function nearest(from: number, cells: readonly Cell[], area: ReadonlyMap<number, number>): number {
  const [x, y] = cells[from]!.inner
  const distance = (g: number): number => Math.hypot(cells[g]!.inner[0] - x, cells[g]!.inner[1] - y)
  return [...area.keys()].filter((g) => g !== from).reduce((a, b) => (distance(b) < distance(a) ? b : a))
}
