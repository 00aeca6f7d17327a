import { inRing, type Point, ringArea } from './point.ts'
import type { Mesh } from './mesh.ts'
import { edgesAt } from './edges-at.ts'

/** For each half-edge the one that follows it around the face on its left. */
export function nextHalfEdges(mesh: Mesh): Int32Array {
  const angle = new Float64Array(mesh.from.length * 2)
  for (let e = 0; e < mesh.from.length; e++) {
    const [a, b] = [mesh.from[e]!, mesh.to[e]!]
    const [dx, dy] = [mesh.x[b]! - mesh.x[a]!, mesh.y[b]! - mesh.y[a]!]
    angle[2 * e] = Math.atan2(dy, dx)
    angle[2 * e + 1] = Math.atan2(-dy, -dx)
  }
  const { first, half } = edgesAt(mesh)
  const next = new Int32Array(angle.length)
  for (let v = 0; v < mesh.x.length; v++) {
    const [start, end] = [first[v]!, first[v + 1]!]
    for (let i = start + 1; i < end; i++) {
      const h = half[i]!
      let j = i
      for (; j > start && angle[half[j - 1]!]! > angle[h]!; j--) half[j] = half[j - 1]!
      half[j] = h
    }
    // Whoever arrives turns as sharply left as it can: to the leaving half-edge just clockwise of its own way back.
    for (let i = start; i < end; i++) next[half[i]! ^ 1] = half[i === start ? end - 1 : i - 1]!
  }
  return next
}

/**
 * The faces between the edges. Half-edge 2e runs along edge e, 2e + 1 against it; each has its face on the left.
 * The outside is face -1.
 */
export interface Faces {
  of: Int32Array
  next: Int32Array
  /** The rings of each face: first the outer one, then those of what lies inside it. */
  rings: Point[][][]
}

/** Finds all faces of a mesh whose edges meet at vertices only. */
export function traceFaces(mesh: Mesh): Faces {
  const next = nextHalfEdges(mesh)
  const of = new Int32Array(next.length).fill(-2)
  const rings: Point[][][] = []
  const holes: { start: number; ring: Point[] }[] = []
  for (let start = 0; start < next.length; start++) {
    if (of[start] !== -2) continue
    const ring = ringFrom(mesh, next, start)
    if (ringArea(ring) > 0) {
      label(next, of, start, rings.length)
      rings.push([ring])
    } else {
      label(next, of, start, -1)
      holes.push({ start, ring })
    }
  }
  const boxes = rings.map(([outer]) => boxOf(outer!))
  const component = components(mesh)
  const home = rings.map(() => -1)
  for (let h = 0; h < of.length; h++) if (of[h]! >= 0) home[of[h]!] = component[mesh.from[h >> 1]!]!
  for (const { start, ring } of holes) {
    const own = component[mesh.from[start >> 1]!]!
    const [x, y] = ring[0]!
    let around = -1
    boxes.forEach((box, face) => {
      const fits = box.west < x && x < box.east && box.south < y && y < box.north && home[face] !== own
      if (fits && (around < 0 || box.size < boxes[around]!.size) && inRing(rings[face]![0]!, x, y))
        around = face
    })
    if (around < 0) continue
    label(next, of, start, around)
    rings[around]!.push(ring)
  }
  return { of, next, rings }
}

function ringFrom(mesh: Mesh, next: Int32Array, start: number): Point[] {
  const ring: Point[] = []
  let h = start
  do {
    const v = h & 1 ? mesh.to[h >> 1]! : mesh.from[h >> 1]!
    ring.push([mesh.x[v]!, mesh.y[v]!])
    h = next[h]!
  } while (h !== start)
  return ring
}

function label(next: Int32Array, of: Int32Array, start: number, face: number): void {
  let h = start
  do {
    of[h] = face
    h = next[h]!
  } while (h !== start)
}

function boxOf(ring: readonly Point[]): {
  west: number
  east: number
  south: number
  north: number
  size: number
} {
  const box = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity, size: 0 }
  for (const [x, y] of ring) {
    box.west = Math.min(box.west, x)
    box.east = Math.max(box.east, x)
    box.south = Math.min(box.south, y)
    box.north = Math.max(box.north, y)
  }
  box.size = (box.east - box.west) * (box.north - box.south)
  return box
}

/** For each vertex the lowest vertex it hangs together with. */
function components(mesh: Mesh): Int32Array {
  const parent = Int32Array.from(mesh.x.keys())
  const find = (v: number): number => {
    while (parent[v] !== v) {
      parent[v] = parent[parent[v]!]!
      v = parent[v]!
    }
    return v
  }
  for (let e = 0; e < mesh.from.length; e++) {
    const [a, b] = [find(mesh.from[e]!), find(mesh.to[e]!)]
    if (a !== b) parent[Math.max(a, b)] = Math.min(a, b)
  }
  return parent.map((_, v) => find(v))
}
