import { waterAt, type WaterBody } from '../plan/water-plan.ts'
import { innerPoint } from '../plane/inner-point.ts'
import type { Mesh } from '../plane/mesh.ts'
import type { Faces } from '../plane/trace-faces.ts'
import type { DrawnLine } from '../streets/drawn-line.ts'

/** The water each face is part of; undefined for land. */
export function waterOfFaces(
  mesh: Mesh,
  faces: Faces,
  lines: readonly DrawnLine[],
  water: readonly WaterBody[],
): (WaterBody | undefined)[] {
  // Water has a shore somewhere, so most faces need no closer look.
  const hasShore = new Uint8Array(faces.rings.length)
  for (let h = 0; h < faces.of.length; h++) {
    if (faces.of[h]! >= 0 && lines[mesh.line[h >> 1]!]!.kind === 'shore') hasShore[faces.of[h]!] = 1
  }
  return faces.rings.map((rings, face) => (hasShore[face] ? waterAt(water, ...innerPoint(rings)) : undefined))
}
