import type { StreetGraph } from '../street-graph.ts'
import type { DistancesFrom } from '../trips/ride-distances.ts'
import { rideNetwork } from '../trips/ride-network.ts'

/** A path along streets: x, y, x, y… in meters from the center, and distances from its start. */
export interface StreetPath {
  points: Float64Array
  along: Float64Array
  length: number
}

export interface PathEnds {
  startEdge: number
  startOffset: number
  endEdge: number
  endOffset: number
}

/** Part of a path: an edge from one offset to another, in meters from its start. */
export interface Leg {
  edge: number
  from: number
  to: number
}

/** Finds the edges of the shortest path between two positions on edges. */
export function createLegFinder(
  graph: StreetGraph,
  distancesFrom: DistancesFrom = rideNetwork(graph).distancesFrom,
): (ends: PathEnds) => Leg[] {
  const nodes = graph.nodeX.length
  const first = new Int32Array(nodes + 1)
  for (const { from, to } of graph.edges) {
    first[from + 1]!++
    first[to + 1]!++
  }
  for (let node = 0; node < nodes; node++) first[node + 1]! += first[node]!
  const arcs = new Int32Array(graph.edges.length * 2)
  const fill = first.slice()
  graph.edges.forEach(({ from, to }, edge) => {
    arcs[fill[from]!++] = edge
    arcs[fill[to]!++] = edge
  })
  // Same rounding as in trips/ride-distances.ts, so that lengths of edges add up to the distances.
  const meters = (edge: number): number => Math.max(1, Math.min(8191, Math.round(graph.edges[edge]!.length)))

  /** Returns the edges of the shortest path from `source` to `node`, and the direction of each. */
  const edgesBetween = (source: number, node: number): { edge: number; isForward: boolean }[] => {
    const row = distancesFrom(source)
    const edges: { edge: number; isForward: boolean }[] = []
    for (let current = node; current !== source;) {
      let next = -1
      for (let arc = first[current]!; arc < first[current + 1]! && next < 0; arc++) {
        const { from, to } = graph.edges[arcs[arc]!]!
        const neighbor = from === current ? to : from
        if (neighbor === current || row[neighbor]! + meters(arcs[arc]!) !== row[current]!) continue
        edges.push({ edge: arcs[arc]!, isForward: to === current })
        next = neighbor
      }
      if (next < 0) return []
      current = next
    }
    return edges.reverse()
  }

  return ({ startEdge, startOffset, endEdge, endOffset }) => {
    if (startEdge === endEdge) return [{ edge: startEdge, from: startOffset, to: endOffset }]
    const [a, b] = [graph.edges[startEdge]!, graph.edges[endEdge]!]
    let best = { length: Number.POSITIVE_INFINITY, source: a.from, target: b.from, leaves: 0, enters: 0 }
    for (const [source, leaves] of [
      [a.from, 0],
      [a.to, a.length],
    ] as const)
      for (const [target, enters] of [
        [b.from, 0],
        [b.to, b.length],
      ] as const) {
        const length =
          Math.abs(startOffset - leaves) + distancesFrom(source)[target]! + Math.abs(endOffset - enters)
        if (length < best.length) best = { length, source, target, leaves, enters }
      }
    const between = edgesBetween(best.source, best.target).map(({ edge, isForward }): Leg => ({
      edge,
      from: isForward ? 0 : graph.edges[edge]!.length,
      to: isForward ? graph.edges[edge]!.length : 0,
    }))
    return [
      { edge: startEdge, from: startOffset, to: best.leaves },
      ...between,
      { edge: endEdge, from: best.enters, to: endOffset },
    ]
  }
}

/** Finds the shortest path along the streets between two positions on edges. */
export function createPathFinder(
  graph: StreetGraph,
  distancesFrom?: DistancesFrom,
): (ends: PathEnds) => StreetPath {
  const findLegs = createLegFinder(graph, distancesFrom)
  return (ends) => {
    const points: number[] = []
    for (const { edge, from, to } of findLegs(ends)) addPathPart(points, graph.edges[edge]!.path, from, to)
    const along = new Float64Array(points.length / 2)
    for (let i = 1; i < along.length; i++)
      along[i] =
        along[i - 1]! +
        Math.hypot(points[2 * i]! - points[2 * i - 2]!, points[2 * i + 1]! - points[2 * i - 1]!)
    return { points: Float64Array.from(points), along, length: along.at(-1) ?? 0 }
  }
}

/** Appends the part of an edge's line from one offset to another, in the direction of travel. */
export function addPathPart(points: number[], path: Float64Array, from: number, to: number): void {
  const corners: { offset: number; x: number; y: number }[] = []
  let offset = 0
  const placeAt = (cornerOffset: number, pathIndex: number, before: number, length: number): void => {
    const share = length === 0 ? 0 : Math.max(0, Math.min(1, (cornerOffset - before) / length))
    corners.push({
      offset: cornerOffset,
      x: path[pathIndex - 2]! + (path[pathIndex]! - path[pathIndex - 2]!) * share,
      y: path[pathIndex - 1]! + (path[pathIndex + 1]! - path[pathIndex - 1]!) * share,
    })
  }
  const [low, high] = from < to ? [from, to] : [to, from]
  for (let i = 2; i < path.length; i += 2) {
    const length = Math.hypot(path[i]! - path[i - 2]!, path[i + 1]! - path[i - 1]!)
    const isLast = i === path.length - 2
    if (low >= offset && (low < offset + length || isLast)) placeAt(low, i, offset, length)
    else if (low < offset && high > offset) corners.push({ offset, x: path[i - 2]!, y: path[i - 1]! })
    if (high >= offset && (high < offset + length || isLast)) placeAt(high, i, offset, length)
    offset += length
  }
  if (from > to) corners.reverse()
  for (const { x, y } of corners)
    if (points.length < 2 || points.at(-2) !== x || points.at(-1) !== y) points.push(x, y)
}
