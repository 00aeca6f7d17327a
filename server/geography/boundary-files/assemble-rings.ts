type Ring = number[][]

interface Outer {
  rings: Ring[]
  area: number
  box: Box
}

type Box = [number, number, number, number]

/**
 * Assembles polygons from the rings of a shapefile record, which does not assign holes to outer rings. Outer
 * rings are clockwise, holes counterclockwise; each hole belongs to the smallest outer ring around it. A hole
 * within none is an outer ring with wrong orientation.
 */
export function assembleRings(rings: Ring[]): Ring[][] {
  const outers: Outer[] = []
  const holes: { ring: Ring; area: number; box: Box }[] = []
  for (const ring of rings) {
    const area = computeSignedArea(ring)
    const box = getBoundingBox(ring)
    if (area <= 0) outers.push({ rings: [ring], area: -area, box })
    else holes.push({ ring, area, box })
  }
  // Largest first, so that a ring with wrong orientation becomes an outer ring before its holes are assigned.
  holes.sort((a, b) => b.area - a.area)
  for (const { ring, area, box } of holes) {
    const surrounding = outers.filter(
      (outer) => outer.area > area && isWithin(box, outer.box) && isAround(outer.rings[0] ?? [], ring),
    )
    const smallest = surrounding.reduce<Outer | null>(
      (min, outer) => (min === null || outer.area < min.area ? outer : min),
      null,
    )
    if (smallest === null) outers.push({ rings: [ring], area, box })
    else smallest.rings.push(ring)
  }
  return outers.map((outer) => outer.rings)
}

/** Returns the area in square units of the file, positive if counterclockwise. */
function computeSignedArea(ring: Ring): number {
  const [x0 = 0, y0 = 0] = ring[0] ?? []
  let sum = 0
  for (let index = 0; index < ring.length; index += 1) {
    const [ax = 0, ay = 0] = ring[index] ?? []
    const [bx = 0, by = 0] = ring[(index + 1) % ring.length] ?? []
    // Relative to the first corner, because the products lose precision far from the origin.
    sum += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
  }
  return sum / 2
}

function getBoundingBox(ring: Ring): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x = 0, y = 0] of ring) {
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x)
    box[3] = Math.max(box[3], y)
  }
  return box
}

function isWithin(inner: Box, outer: Box): boolean {
  return inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

/**
 * Whether a ring surrounds a hole: most midpoints of up to nine edges are inside, because single ones may be
 * on the ring.
 */
function isAround(outer: Ring, hole: Ring): boolean {
  const step = Math.max(1, Math.floor((hole.length - 1) / 9))
  let insideCount = 0
  let triedCount = 0
  for (let index = 0; index + 1 < hole.length; index += step) {
    const [ax = 0, ay = 0] = hole[index] ?? []
    const [bx = 0, by = 0] = hole[index + 1] ?? []
    insideCount += contains(outer, (ax + bx) / 2, (ay + by) / 2) ? 1 : 0
    triedCount += 1
  }
  return insideCount * 2 > triedCount
}

function contains(ring: Ring, x: number, y: number): boolean {
  let inside = false
  for (let index = 0; index < ring.length; index += 1) {
    const [ax = 0, ay = 0] = ring[index] ?? []
    const [bx = 0, by = 0] = ring[(index + 1) % ring.length] ?? []
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}
