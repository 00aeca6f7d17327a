import type { BasemapShape } from '#contract/basemap.ts'
import type { Box, Position } from '#contract/place.ts'
import type { MapClass } from './classify-tags.ts'
import { nestRings } from './nest-rings.ts'
import type { City } from './read-city.ts'

/** A line through nodes. */
interface NodeLine {
  id: number
  nodes: number[]
}

/**
 * Joins lines end to end, identified by their smallest id. Only where exactly two ends meet: at a fork the continuation is ambiguous, and a
 * line that others cross stays as it is.
 */
function joinLines(lines: readonly NodeLine[]): NodeLine[] {
  const ends = new Map<number, number[]>()
  lines.forEach(({ nodes }, at) => {
    for (const node of [nodes[0]!, nodes.at(-1)!]) {
      const there = ends.get(node)
      if (there) there.push(at)
      else ends.set(node, [at])
    }
  })
  const used = new Set<number>()
  /** The other line at a node. */
  const after = (node: number, from: number): number | null => {
    const meeting = ends.get(node) ?? []
    const next = meeting.length === 2 ? meeting.find((at) => at !== from) : undefined
    return next === undefined || used.has(next) ? null : next
  }
  const joined: NodeLine[] = []
  lines.forEach((line, start) => {
    if (used.has(start)) return
    used.add(start)
    let id = line.id
    const grow = (nodes: number[]): number[] => {
      let from = start
      for (let next = after(nodes.at(-1)!, from); next !== null; next = after(nodes.at(-1)!, from)) {
        used.add(next)
        const more = lines[next]!
        id = Math.min(id, more.id)
        const onward = more.nodes[0] === nodes.at(-1) ? more.nodes : more.nodes.toReversed()
        for (let at = 1; at < onward.length; at++) nodes.push(onward[at]!)
        from = next
      }
      return nodes
    }
    const forward = grow([...line.nodes])
    const nodes = forward[0] === forward.at(-1) ? forward : grow(forward.reverse()).reverse()
    joined.push({ id, nodes })
  })
  return joined
}

/** Rings of nodes from the ways of a multipolygon, in any order and direction. `open`: how many ends of ways meet no other. */
function closeRings(ways: readonly number[][]): { rings: number[][]; open: number } {
  const rings: number[][] = []
  const atEnd = new Map<number, Set<number[]>>()
  const add = (node: number, way: number[]): void => {
    const there = atEnd.get(node)
    if (there) there.add(way)
    else atEnd.set(node, new Set([way]))
  }
  for (const way of ways) {
    if (way.length < 2) continue
    if (way[0] === way.at(-1)) {
      rings.push(way)
      continue
    }
    const own = [...way]
    add(own[0]!, own)
    add(own.at(-1)!, own)
  }
  const left = new Set([...atEnd.values()].flatMap((each) => [...each]))
  let open = 0
  for (const first of left) {
    left.delete(first)
    const ring = [...first]
    const removeWay = (way: number[]): void => {
      left.delete(way)
      atEnd.get(way[0]!)?.delete(way)
      atEnd.get(way.at(-1)!)?.delete(way)
    }
    removeWay(first)
    while (ring[0] !== ring.at(-1)) {
      const end = ring.at(-1)!
      const [next] = atEnd.get(end) ?? []
      if (!next) break
      removeWay(next)
      const onward = next[0] === end ? next : next.toReversed()
      for (let at = 1; at < onward.length; at++) ring.push(onward[at]!)
    }
    if (ring[0] === ring.at(-1)) rings.push(ring)
    else open++
  }
  return { rings: rings.filter((ring) => ring.length >= 4), open }
}

/** The part of a ring within a box, along its edge where it would leave it; null if nothing is left. */
function clipRing(ring: readonly Position[], [west, south, east, north]: Box): Position[] | null {
  let points: Position[] = ring.slice(0, -1)
  const cut = (isIn: (at: Position) => boolean, meet: (from: Position, to: Position) => Position): void => {
    const clipped: Position[] = []
    points.forEach((to, at) => {
      const from = points[(at + points.length - 1) % points.length]!
      if (isIn(from) !== isIn(to)) clipped.push(meet(from, to))
      if (isIn(to)) clipped.push(to)
    })
    points = clipped
  }
  const atLon =
    (lon: number) =>
    ([ax, ay]: Position, [bx, by]: Position): Position => [lon, ay + ((lon - ax) / (bx - ax)) * (by - ay)]
  const atLat =
    (lat: number) =>
    ([ax, ay]: Position, [bx, by]: Position): Position => [ax + ((lat - ay) / (by - ay)) * (bx - ax), lat]
  cut(([x]) => x >= west, atLon(west))
  cut(([x]) => x <= east, atLon(east))
  cut(([, y]) => y >= south, atLat(south))
  cut(([, y]) => y <= north, atLat(north))
  const [first] = points
  return first && points.length >= 3 ? [...points, first] : null
}

/** Numbers of omitted objects. */
export interface OmittedCounts {
  /** Nodes of drawn ways that the file lacks. */
  missingNodes: number
  /** Areas with an open border, mostly at the edge of an extract. */
  openAreas: number
  /** Coastlines. */
  coastlines: number
}

/** Six decimals of a degree are about 10 cm. */
const degrees = (value: number): number => Math.round(value / 10) / 1e6

/** The shapes of a basemap, one by one. With a box, areas are clipped to it. */
export function* makeShapes(city: City, box: Box | null, left: OmittedCounts): Generator<BasemapShape> {
  yield* lineShapes(city, left)
  yield* areaShapes(city, box, left)
  for (const { id, lon, lat, place } of city.places)
    yield {
      role: 'place',
      id: `n${id}`,
      name: place.name,
      class: place.class,
      geometry: { type: 'Point', coordinates: [degrees(lon), degrees(lat)] },
    }
}

function* lineShapes({ ways, nodeAt }: City, left: OmittedCounts): Generator<BasemapShape> {
  const groups = new Map<string, { drawn: MapClass; lines: NodeLine[] }>()
  for (const { id, line, isCoast, refs } of ways) {
    if (isCoast) left.coastlines++
    if (!line) continue
    const key = `${line.role} ${line.class} ${line.name}`
    const group = groups.get(key) ?? { drawn: line, lines: [] }
    groups.set(key, group)
    group.lines.push({ id, nodes: refs })
  }
  for (const { drawn, lines } of groups.values())
    for (const { id, nodes } of joinLines(lines)) {
      let parts = 0
      for (const coordinates of known(nodes, nodeAt, left))
        yield {
          ...drawn,
          id: `w${id}${parts ? `.${parts}` : ''}`,
          geometry: { type: 'LineString', coordinates: (parts++, coordinates) },
        }
    }
}

/** The parts of a line with nodes in the file. */
function* known(nodes: readonly number[], nodeAt: City['nodeAt'], left: OmittedCounts): Generator<Position[]> {
  let stretch: Position[] = []
  for (const node of nodes) {
    const at = nodeAt(node)
    if (at) {
      const point: Position = [degrees(at[0]), degrees(at[1])]
      const before = stretch.at(-1)
      if (before?.[0] !== point[0] || before[1] !== point[1]) stretch.push(point)
      continue
    }
    left.missingNodes++
    if (stretch.length > 1) yield stretch
    stretch = []
  }
  if (stretch.length > 1) yield stretch
}

function* areaShapes({ ways, areas, nodeAt }: City, box: Box | null, left: OmittedCounts): Generator<BasemapShape> {
  const byId = new Map(ways.map((way) => [way.id, way.refs]))
  const drawnWays = new Set<number>()
  for (const { id, area, ways: members } of areas) {
    const known = members.flatMap((way) => (byId.get(way)?.length ? [byId.get(way)!] : []))
    const { rings, open } = closeRings(known)
    if (open > 0 || (known.length > 0 && known.length < members.length)) left.openAreas++
    const geometry = areaOf(rings, nodeAt, box, left)
    if (!geometry) continue
    // The border itself often has the same tags.
    for (const way of members) drawnWays.add(way)
    yield { ...area, id: `r${id}`, geometry }
  }
  for (const { id, area, refs } of ways) {
    if (!area || drawnWays.has(id)) continue
    const geometry = areaOf([refs], nodeAt, box, left)
    if (geometry) yield { ...area, id: `w${id}`, geometry }
  }
}

function areaOf(
  rings: readonly number[][],
  nodeAt: City['nodeAt'],
  box: Box | null,
  left: OmittedCounts,
): BasemapShape['geometry'] | null {
  const closed = rings.flatMap((nodes): Position[][] => {
    const points: Position[] = []
    for (const node of nodes) {
      const at = nodeAt(node)
      if (at) points.push([degrees(at[0]), degrees(at[1])])
      else left.missingNodes++
    }
    // A missing corner is skipped; a ring without its first one is closed again.
    const [first, last] = [points[0], points.at(-1)]
    if (first && last && (first[0] !== last[0] || first[1] !== last[1])) points.push(first)
    const ring = box ? clipRing(points, box) : points
    return ring && ring.length >= 4
      ? [ring.map(([lon, lat]): Position => [Math.round(lon * 1e6) / 1e6, Math.round(lat * 1e6) / 1e6])]
      : []
  })
  const polygons = nestRings(closed)
  if (polygons.length === 0) return null
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons }
}
