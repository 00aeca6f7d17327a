import type { FleetCluster } from './layers/fleet-points.ts'

/** Below this zoom nearby vehicles form a cluster. */
export const clusterZoom = 13
/** Size of a grid cell in pixels. */
const cellPx = 64
/** Minimum distance between the centers of two clusters in pixels. */
const minDistancePx = 46
/** Size of the map at zoom 0 in pixels, as in MapLibre. */
const worldPx = 512
/** More than the number of rows of cells, so that each cell has its own key. */
const rowsPerColumn = 1_000_003

interface Places {
  lon: Float64Array
  lat: Float64Array
}

/** Vehicles in clusters and outside of them. */
export interface Clustered {
  /** Handles of vehicles outside of clusters. */
  alone: Uint32Array
  /** Clusters, with the sum of the weights and the number of vehicles by kind. */
  clusters: (Omit<FleetCluster, 'parts'> & { weight: number; kinds: ReadonlyMap<number, number> })[]
}

interface Mark {
  /** The center in pixels; while vehicles are added, the sum of their positions. */
  x: number
  y: number
  count: number
  weight: number
  /** Number of vehicles by kind. */
  kinds: Map<number, number>
  /** Handle of the first vehicle. */
  handle: number
}

interface ClusterOptions {
  /** Weight by handle, summed in each cluster. */
  weights?: Float64Array
  /** Returns the kind of a vehicle, counted in each cluster. */
  getKind?: (handle: number) => number
}

/** Clusters vehicles by cells of a pixel grid and merges overlapping clusters. Each is in one or alone. */
export function clusterGrid(
  { lon, lat }: Places,
  handles: Uint32Array,
  zoom: number,
  { weights, getKind }: ClusterOptions = {},
): Clustered {
  const worldSize = worldPx * 2 ** zoom
  const cells = new Map<number, Mark>()
  for (const handle of handles) {
    const x = (lon[handle]! / 360 + 0.5) * worldSize
    const y = toMercator(lat[handle]!) * worldSize
    if (Number.isNaN(x + y)) continue
    const key = Math.floor(x / cellPx) * rowsPerColumn + Math.floor(y / cellPx)
    const mark = cells.get(key)
    const kind = getKind?.(handle)
    if (mark) {
      mark.x += x
      mark.y += y
      mark.count += 1
      mark.weight += weights?.[handle] ?? 0
      if (kind !== undefined) mark.kinds.set(kind, (mark.kinds.get(kind) ?? 0) + 1)
    } else {
      const kinds = new Map(kind === undefined ? [] : [[kind, 1]])
      cells.set(key, { x, y, count: 1, weight: weights?.[handle] ?? 0, kinds, handle })
    }
  }
  const marks = mergeClose(
    [...cells.values()].map((mark) => ({ ...mark, x: mark.x / mark.count, y: mark.y / mark.count })),
  )
  return {
    alone: Uint32Array.from(marks.filter(({ count }) => count === 1).map(({ handle }) => handle)),
    clusters: marks
      .filter(({ count }) => count > 1)
      .map(({ x, y, count, weight, kinds }) => ({
        lon: (x / worldSize - 0.5) * 360,
        lat: toLatitude(y / worldSize),
        count,
        weight,
        kinds,
      })),
  }
}

/** Merges clusters that are too close into the larger ones. */
function mergeClose(marks: Mark[]): Mark[] {
  const grid = new Map<string, Mark[]>()
  const merged: Mark[] = []
  for (const mark of marks.toSorted((a, b) => b.count - a.count || a.handle - b.handle)) {
    const column = Math.floor(mark.x / cellPx)
    const row = Math.floor(mark.y / cellPx)
    const neighbor = [-1, 0, 1]
      .flatMap((right) => [-1, 0, 1].flatMap((down) => grid.get(`${column + right} ${row + down}`) ?? []))
      .find((other) => Math.hypot(other.x - mark.x, other.y - mark.y) < minDistancePx)
    if (neighbor) {
      neighbor.count += mark.count
      neighbor.weight += mark.weight
      for (const [kind, count] of mark.kinds)
        neighbor.kinds.set(kind, (neighbor.kinds.get(kind) ?? 0) + count)
      continue
    }
    const separate = { ...mark }
    merged.push(separate)
    const key = `${column} ${row}`
    const cellMarks = grid.get(key)
    if (cellMarks) cellMarks.push(separate)
    else grid.set(key, [separate])
  }
  return merged
}

/** Mercator projection: latitude to the share of the map's height, 0 at the top. */
const toMercator = (lat: number): number => {
  const sine = Math.sin((lat * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}
/** The inverse of `toMercator`. */
const toLatitude = (share: number): number =>
  (Math.atan(Math.sinh((0.5 - share) * 2 * Math.PI)) * 180) / Math.PI
