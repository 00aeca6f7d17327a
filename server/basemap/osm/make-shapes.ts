import type { BasemapShape } from '#contract/basemap.ts'
import { appendTo } from '#contract/group-by.ts'
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
 * Joins lines end to end where exactly two ends meet; at a fork the continuation is ambiguous. A joined line
 * has the smallest id of its parts.
 */
function joinLines(lines: readonly NodeLine[]): NodeLine[] {
  const linesByEnd = new Map<number, number[]>()
  lines.forEach(({ nodes }, index) => {
    for (const node of [nodes[0]!, nodes.at(-1)!]) appendTo(linesByEnd, node, index)
  })
  const usedLines = new Set<number>()
  /** Finds the index of the line that continues line `from` at a node. */
  const findNext = (node: number, from: number): number | null => {
    const meeting = linesByEnd.get(node) ?? []
    const next = meeting.length === 2 ? meeting.find((index) => index !== from) : undefined
    return next === undefined || usedLines.has(next) ? null : next
  }
  const joined: NodeLine[] = []
  lines.forEach((line, start) => {
    if (usedLines.has(start)) return
    usedLines.add(start)
    let id = line.id
    const extendAtEnd = (nodes: number[]): number[] => {
      let from = start
      for (let next = findNext(nodes.at(-1)!, from); next !== null; next = findNext(nodes.at(-1)!, from)) {
        usedLines.add(next)
        const nextLine = lines[next]!
        id = Math.min(id, nextLine.id)
        appendWay(nodes, nextLine.nodes)
        from = next
      }
      return nodes
    }
    const nodes = extendAtEnd([...line.nodes])
    const isClosed = nodes[0] === nodes.at(-1)
    // An open line is also extended at its start.
    joined.push({ id, nodes: isClosed ? nodes : extendAtEnd(nodes.reverse()).reverse() })
  })
  return joined
}

/**
 * Appends a way that begins or ends at the last of `nodes`. Not `push(...way)`: a way may have more nodes
 * than a call allows arguments.
 */
function appendWay(nodes: number[], way: readonly number[]): void {
  const onward = way[0] === nodes.at(-1) ? way : way.toReversed()
  for (let index = 1; index < onward.length; index++) nodes.push(onward[index]!)
}

/**
 * Joins rings of nodes from the ways of a multipolygon, which are in any order and direction. `openCount` is
 * the number of lines that could not be closed.
 */
function closeRings(ways: readonly number[][]): { rings: number[][]; openCount: number } {
  const rings: number[][] = []
  const waysByEnd = new Map<number, Set<number[]>>()
  const addEnd = (node: number, way: number[]): void => {
    const waysAtNode = waysByEnd.get(node)
    if (waysAtNode) waysAtNode.add(way)
    else waysByEnd.set(node, new Set([way]))
  }
  for (const way of ways) {
    if (way.length < 2) continue
    if (way[0] === way.at(-1)) {
      rings.push(way)
      continue
    }
    // Ways are compared by reference below, so a way that occurs twice needs a copy of its own.
    const copy = [...way]
    addEnd(copy[0]!, copy)
    addEnd(copy.at(-1)!, copy)
  }
  const unusedWays = new Set([...waysByEnd.values()].flatMap((ways) => [...ways]))
  let openCount = 0
  for (const firstWay of unusedWays) {
    const ring = [...firstWay]
    const removeWay = (way: number[]): void => {
      unusedWays.delete(way)
      waysByEnd.get(way[0]!)?.delete(way)
      waysByEnd.get(way.at(-1)!)?.delete(way)
    }
    removeWay(firstWay)
    while (ring[0] !== ring.at(-1)) {
      const [nextWay] = waysByEnd.get(ring.at(-1)!) ?? []
      if (!nextWay) break
      removeWay(nextWay)
      appendWay(ring, nextWay)
    }
    if (ring[0] === ring.at(-1)) rings.push(ring)
    else openCount++
  }
  // Rings have three corners or more, and end with the first one.
  return { rings: rings.filter((ring) => ring.length >= 4), openCount }
}

/** Returns the part of a ring in a box, cut edge by edge (Sutherland–Hodgman); null if nothing is left. */
function clipRing(ring: readonly Position[], [west, south, east, north]: Box): Position[] | null {
  let points: Position[] = ring.slice(0, -1)
  const clipAtEdge = (
    isInside: (point: Position) => boolean,
    intersect: (from: Position, to: Position) => Position,
  ): void => {
    const clipped: Position[] = []
    points.forEach((to, index) => {
      const from = points[(index + points.length - 1) % points.length]!
      if (isInside(from) !== isInside(to)) clipped.push(intersect(from, to))
      if (isInside(to)) clipped.push(to)
    })
    points = clipped
  }
  const createLonCut =
    (lon: number) =>
    ([ax, ay]: Position, [bx, by]: Position): Position => [lon, ay + ((lon - ax) / (bx - ax)) * (by - ay)]
  const createLatCut =
    (lat: number) =>
    ([ax, ay]: Position, [bx, by]: Position): Position => [ax + ((lat - ay) / (by - ay)) * (bx - ax), lat]
  clipAtEdge(([x]) => x >= west, createLonCut(west))
  clipAtEdge(([x]) => x <= east, createLonCut(east))
  clipAtEdge(([, y]) => y >= south, createLatCut(south))
  clipAtEdge(([, y]) => y <= north, createLatCut(north))
  const [first] = points
  return first && points.length >= 3 ? [...points, first] : null
}

/** Numbers of objects that are not drawn. */
export interface OmittedCounts {
  /** Nodes of drawn ways that are not in the file. */
  missingNodes: number
  /** Areas with an open border, usually at the edge of an extract. */
  openAreas: number
  coastlines: number
}

/** Converts integers of 1e-7 degrees to degrees with six decimals, about 10 cm. */
const toDegrees = (value: number): number => Math.round(value / 10) / 1e6

/** Yields the shapes of a basemap and counts omitted objects. With a box, areas are clipped to it. */
export function* makeShapes(city: City, box: Box | null, omitted: OmittedCounts): Generator<BasemapShape> {
  yield* makeLineShapes(city, omitted)
  yield* makeAreaShapes(city, box, omitted)
  for (const { id, lon, lat, place } of city.places)
    yield {
      role: 'place',
      id: `n${id}`,
      name: place.name,
      class: place.class,
      geometry: { type: 'Point', coordinates: [toDegrees(lon), toDegrees(lat)] },
    }
}

/** Yields the shapes of streets and other lines: ways of the same class and name are joined. */
function* makeLineShapes({ ways, nodeAt }: City, omitted: OmittedCounts): Generator<BasemapShape> {
  const groups = new Map<string, { mapClass: MapClass; lines: NodeLine[] }>()
  for (const { id, line, isCoast, refs } of ways) {
    if (isCoast) omitted.coastlines++
    if (!line) continue
    const key = `${line.role} ${line.class} ${line.name}`
    const group = groups.get(key) ?? { mapClass: line, lines: [] }
    groups.set(key, group)
    group.lines.push({ id, nodes: refs })
  }
  for (const { mapClass, lines } of groups.values())
    for (const { id, nodes } of joinLines(lines)) {
      let partIndex = 0
      for (const coordinates of splitAtMissingNodes(nodes, nodeAt, omitted)) {
        yield {
          ...mapClass,
          id: `w${id}${partIndex ? `.${partIndex}` : ''}`,
          geometry: { type: 'LineString', coordinates },
        }
        partIndex++
      }
    }
}

/** Splits a line where nodes are missing from the file, and omits repeated positions. */
function* splitAtMissingNodes(
  nodes: readonly number[],
  nodeAt: City['nodeAt'],
  omitted: OmittedCounts,
): Generator<Position[]> {
  let line: Position[] = []
  for (const node of nodes) {
    const position = nodeAt(node)
    if (position) {
      const point: Position = [toDegrees(position[0]), toDegrees(position[1])]
      const previous = line.at(-1)
      if (previous?.[0] !== point[0] || previous[1] !== point[1]) line.push(point)
      continue
    }
    omitted.missingNodes++
    if (line.length > 1) yield line
    line = []
  }
  if (line.length > 1) yield line
}

/** Yields the shapes of areas: those of relations, then closed ways that no relation draws. */
function* makeAreaShapes(
  { ways, areas, nodeAt }: City,
  box: Box | null,
  omitted: OmittedCounts,
): Generator<BasemapShape> {
  const nodesByWay = new Map(ways.map((way) => [way.id, way.refs]))
  const drawnWays = new Set<number>()
  for (const { id, area, ways: members } of areas) {
    const presentWays = members.flatMap((way) => (nodesByWay.get(way)?.length ? [nodesByWay.get(way)!] : []))
    const { rings, openCount } = closeRings(presentWays)
    if (openCount > 0 || (presentWays.length > 0 && presentWays.length < members.length)) omitted.openAreas++
    const geometry = makeAreaGeometry(rings, nodeAt, box, omitted)
    if (!geometry) continue
    // The ways of the border often have the same tags as the area: they must not be drawn a second time.
    for (const way of members) drawnWays.add(way)
    yield { ...area, id: `r${id}`, geometry }
  }
  for (const { id, area, refs } of ways) {
    if (!area || drawnWays.has(id)) continue
    const geometry = makeAreaGeometry([refs], nodeAt, box, omitted)
    if (geometry) yield { ...area, id: `w${id}`, geometry }
  }
}

/** Makes the geometry of an area from the rings of its nodes; null if nothing of it can be drawn. */
function makeAreaGeometry(
  rings: readonly number[][],
  nodeAt: City['nodeAt'],
  box: Box | null,
  omitted: OmittedCounts,
): BasemapShape['geometry'] | null {
  const closedRings = rings.flatMap((nodes): Position[][] => {
    const points: Position[] = []
    for (const node of nodes) {
      const position = nodeAt(node)
      if (position) points.push([toDegrees(position[0]), toDegrees(position[1])])
      else omitted.missingNodes++
    }
    // A missing corner is skipped. If it was the first one, which is also the last, the ring must be closed.
    const [first] = points
    const last = points.at(-1)
    if (first && last && (first[0] !== last[0] || first[1] !== last[1])) points.push(first)
    const ring = box ? clipRing(points, box) : points
    return ring && ring.length >= 4
      ? [ring.map(([lon, lat]): Position => [Math.round(lon * 1e6) / 1e6, Math.round(lat * 1e6) / 1e6])]
      : []
  })
  const polygons = nestRings(closedRings)
  if (polygons.length === 0) return null
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: polygons[0]! }
    : { type: 'MultiPolygon', coordinates: polygons }
}
