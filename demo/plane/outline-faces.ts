import type { Mesh } from './mesh.ts'
import { inRing, type Point, ringArea } from './point.ts'
import type { Faces } from './trace-faces.ts'

/**
 * The outline of each group of faces as polygons (outer ring counter-clockwise, then its holes clockwise; all closed).
 * Groups that touch get the very same vertices where they do. `groupOf` gives -1 for faces of no group.
 */
export function outlineFaces(mesh: Mesh, faces: Faces, groupOf: (face: number) => number): Point[][][][] {
  const groups = new Map<number, Point[][]>()
  const group = Int32Array.from(faces.of, (face) => (face < 0 ? -1 : groupOf(face)))
  const done = new Uint8Array(group.length)
  for (let start = 0; start < group.length; start++) {
    const own = group[start]!
    if (own < 0 || done[start] || group[start ^ 1] === own) continue
    const vertices: number[] = []
    let h = start
    do {
      done[h] = 1
      vertices.push(h & 1 ? mesh.to[h >> 1]! : mesh.from[h >> 1]!)
      h = faces.next[h]!
      // Edges inside the group are crossed, not followed.
      while (group[h ^ 1] === own) h = faces.next[h ^ 1]!
    } while (h !== start)
    const rings = groups.get(own) ?? []
    if (rings.length === 0) groups.set(own, rings)
    for (const loop of simpleLoops(vertices)) rings.push(loop.map((v) => [mesh.x[v]!, mesh.y[v]!]))
  }
  const outlines: Point[][][][] = []
  for (const [own, rings] of groups) outlines[own] = nestRings(rings)
  return outlines
}

/** A ring that touches itself at a vertex is several rings. */
function simpleLoops(vertices: readonly number[]): number[][] {
  const loops: number[][] = []
  const path: number[] = []
  const placeOf = new Map<number, number>()
  for (const v of vertices) {
    const place = placeOf.get(v)
    if (place !== undefined) {
      const loop = path.splice(place)
      for (const w of loop) placeOf.delete(w)
      loops.push(loop)
    }
    placeOf.set(v, path.length)
    path.push(v)
  }
  loops.push(path)
  return loops.filter((loop) => loop.length > 2)
}

function nestRings(rings: readonly Point[][]): Point[][][] {
  const outers = rings.filter((ring) => ringArea(ring) > 0).map((ring) => ({ ring, size: ringArea(ring) }))
  outers.sort((p, q) => p.size - q.size)
  const polygons = outers.map(({ ring }) => [closed(ring)])
  for (const ring of rings) {
    if (ringArea(ring) > 0) continue
    // A hole may touch its outer ring at a vertex, so the middle of an edge is asked for.
    const [a, b] = [ring[0]!, ring[1]!]
    const home = outers.findIndex(
      (outer) => outer.size > -ringArea(ring) && inRing(outer.ring, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2),
    )
    if (home >= 0) polygons[home]!.push(closed(ring))
  }
  return polygons.reverse()
}

function closed(ring: readonly Point[]): Point[] {
  return [...ring, ring[0]!]
}
