type Ring = number[][]

interface Outer {
  rings: Ring[]
  area: number
  box: Box
}

type Box = [number, number, number, number]

/**
 * Polygons from the rings of one shapefile record, which does not say whose hole a hole is. Outer rings run clockwise, holes the other way;
 * each hole goes to the smallest outer ring around it. A hole that lies in none is an outer ring drawn the wrong way round.
 */
export function assembleRings(rings: Ring[]): Ring[][] {
  const outers: Outer[] = []
  const holes: { ring: Ring; area: number; box: Box }[] = []
  for (const ring of rings) {
    const area = signedArea(ring)
    const box = boxOf(ring)
    if (area <= 0) outers.push({ rings: [ring], area: -area, box })
    else holes.push({ ring, area, box })
  }
  // Largest first, so that a stray ring is an outer ring by the time its own holes come.
  holes.sort((a, b) => b.area - a.area)
  for (const { ring, area, box } of holes) {
    const around = outers.filter(
      (outer) => outer.area > area && within(box, outer.box) && surrounds(outer.rings[0] ?? [], ring),
    )
    const smallest = around.reduce<Outer | null>(
      (least, outer) => (least === null || outer.area < least.area ? outer : least),
      null,
    )
    if (smallest === null) outers.push({ rings: [ring], area, box })
    else smallest.rings.push(ring)
  }
  return outers.map((outer) => outer.rings)
}

/** Positive counter-clockwise, in squared units of the file. */
function signedArea(ring: Ring): number {
  const [x0 = 0, y0 = 0] = ring[0] ?? []
  let sum = 0
  for (let index = 0; index < ring.length; index += 1) {
    const [ax = 0, ay = 0] = ring[index] ?? []
    const [bx = 0, by = 0] = ring[(index + 1) % ring.length] ?? []
    // Measured from the first corner: far from the origin the products would swallow a small ring.
    sum += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
  }
  return sum / 2
}

function boxOf(ring: Ring): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x = 0, y = 0] of ring) {
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x)
    box[3] = Math.max(box[3], y)
  }
  return box
}

function within(inner: Box, outer: Box): boolean {
  return inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
}

/** By the middles of up to nine edges, the majority: a hole may touch the ring around it with any one. */
function surrounds(outer: Ring, hole: Ring): boolean {
  const step = Math.max(1, Math.floor((hole.length - 1) / 9))
  let inside = 0
  let tried = 0
  for (let index = 0; index + 1 < hole.length; index += step) {
    const [ax = 0, ay = 0] = hole[index] ?? []
    const [bx = 0, by = 0] = hole[index + 1] ?? []
    inside += contains(outer, (ax + bx) / 2, (ay + by) / 2) ? 1 : 0
    tried += 1
  }
  return inside * 2 > tried
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
