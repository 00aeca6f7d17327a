import type { BasemapShape } from '#contract/basemap.ts'
import type { Box, Position } from '#contract/place.ts'
import { clipRing } from './clip-ring.ts'
import { closeRings } from './close-rings.ts'
import type { DrawnAs } from './drawn-as.ts'
import { joinLines, type NodeLine } from './join-lines.ts'
import { nestRings } from './nest-rings.ts'
import type { City } from './read-city.ts'

/** What was left out, to be told. */
export interface LeftOut {
  /** Nodes of drawn ways that the file lacks. */
  missingNodes: number
  /** Areas whose border is not closed, mostly at the edge of an extract. */
  openAreas: number
  /** Ways of the sea's coast. */
  coastlines: number
}

/** Six places of a degree are a hand's breadth. */
const degrees = (value: number): number => Math.round(value / 10) / 1e6

/** The shapes of a basemap, each as soon as it is made. With a box, areas are cut at it. */
export function* makeShapes(city: City, box: Box | null, left: LeftOut): Generator<BasemapShape> {
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

function* lineShapes({ ways, nodeAt }: City, left: LeftOut): Generator<BasemapShape> {
  const groups = new Map<string, { drawn: DrawnAs; lines: NodeLine[] }>()
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

/** The stretches of a line whose nodes the file has. */
function* known(nodes: readonly number[], nodeAt: City['nodeAt'], left: LeftOut): Generator<Position[]> {
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

function* areaShapes({ ways, areas, nodeAt }: City, box: Box | null, left: LeftOut): Generator<BasemapShape> {
  const byId = new Map(ways.map((way) => [way.id, way.refs]))
  const drawnWays = new Set<number>()
  for (const { id, area, ways: members } of areas) {
    const known = members.flatMap((way) => (byId.get(way)?.length ? [byId.get(way)!] : []))
    const { rings, open } = closeRings(known)
    if (open > 0 || (known.length > 0 && known.length < members.length)) left.openAreas++
    const geometry = areaOf(rings, nodeAt, box, left)
    if (!geometry) continue
    // The border itself often bears the same tags.
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
  left: LeftOut,
): BasemapShape['geometry'] | null {
  const closed = rings.flatMap((nodes): Position[][] => {
    const points: Position[] = []
    for (const node of nodes) {
      const at = nodeAt(node)
      if (at) points.push([degrees(at[0]), degrees(at[1])])
      else left.missingNodes++
    }
    // A corner that is missing is cut; a ring that lacks its first one is closed anew.
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
