import { LRUCache } from 'lru-cache'
import type { StreetGraph } from '../street-graph.ts'

/** Number of buckets in the ring; edges must be shorter (meters). */
const bucketCount = 8192

/** Meters along the streets from a node to each node. */
export type DistancesFrom = (node: number) => Uint16Array

/** Returns a function for street distances from a node to all others. Each row is computed once. */
export function rideDistances(graph: StreetGraph): DistancesFrom {
  const nodes = graph.nodeX.length
  const fill = createDistanceSearch(graph)
  // One block: unused rows take no physical memory, and it is returned to the system at once.
  const block = new Uint16Array(nodes * nodes)
  const rows: (Uint16Array | undefined)[] = []
  return (source) => (rows[source] ??= fill(source, block.subarray(source * nodes, (source + 1) * nodes)))
}

/** Same as `rideDistances` with less memory: caches only the `maxRows` rows that were used last. */
export function recentRideDistances(graph: StreetGraph, maxRows: number): DistancesFrom {
  const fill = createDistanceSearch(graph)
  const rows = new LRUCache<number, Uint16Array>({
    max: maxRows,
    memoMethod: (source) => fill(source, new Uint16Array(graph.nodeX.length)),
  })
  return (source) => rows.memo(source)
}

/** Returns a function that fills a row with the distances from a node; 65535 if there is no path. */
function createDistanceSearch(graph: StreetGraph): (source: number, row: Uint16Array) => Uint16Array {
  const nodes = graph.nodeX.length
  const { first, arcTo, arcLength } = indexArcs(graph)
  const head = new Int32Array(bucketCount)
  // Dial's algorithm: nodes wait in buckets by distance; outdated entries are skipped.
  const entryNode: number[] = []
  const entryNext: number[] = []
  return (source, row) => {
    row.fill(65535)
    const settled = new Uint8Array(nodes)
    head.fill(-1)
    entryNode.length = entryNext.length = 1
    entryNode[0] = source
    entryNext[0] = -1
    row[source] = 0
    head[0] = 0
    let waiting = 1
    for (let distance = 0; waiting > 0; distance++) {
      const bucket = distance % bucketCount
      for (let entry = head[bucket]!; entry >= 0; entry = head[bucket]!) {
        head[bucket] = entryNext[entry]!
        waiting--
        const node = entryNode[entry]!
        if (settled[node]) continue
        settled[node] = 1
        for (let arc = first[node]!; arc < first[node + 1]!; arc++) {
          const neighbor = arcTo[arc]!
          const through = distance + arcLength[arc]!
          if (through >= row[neighbor]!) continue
          row[neighbor] = through
          entryNode.push(neighbor)
          entryNext.push(head[through % bucketCount]!)
          head[through % bucketCount] = entryNode.length - 1
          waiting++
        }
      }
    }
    return row
  }
}

function indexArcs({ nodeX, edges }: StreetGraph): {
  first: Int32Array
  arcTo: Int32Array
  arcLength: Int32Array
} {
  const first = new Int32Array(nodeX.length + 1)
  for (const { from, to } of edges) {
    first[from + 1]!++
    first[to + 1]!++
  }
  for (let node = 0; node < nodeX.length; node++) first[node + 1]! += first[node]!
  const fill = first.slice()
  const arcTo = new Int32Array(edges.length * 2)
  const arcLength = new Int32Array(edges.length * 2)
  for (const { from, to, length } of edges) {
    const meters = Math.max(1, Math.min(bucketCount - 1, Math.round(length)))
    for (const [a, b] of [
      [from, to],
      [to, from],
    ] as const) {
      arcTo[fill[a]!] = b
      arcLength[fill[a]!] = meters
      fill[a]!++
    }
  }
  return { first, arcTo, arcLength }
}
