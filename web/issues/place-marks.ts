import type { IssuePoints } from '#contract/issues.ts'
import { clusterGrid } from '#web/map/cluster-grid.ts'
import type { FleetCluster } from '#web/map/layers/fleet-points.ts'

/** Issues at exactly the same place. */
export interface Stack {
  lon: number
  lat: number
  count: number
  /** Index of the newest one. */
  first: number
}

/** The marks of points; each point belongs to exactly one mark. */
export interface PlaceMarks {
  /** Indexes of single points. */
  alone: Uint32Array
  stacks: readonly Stack[]
  /** Nearby points at a low zoom. */
  clusters: readonly FleetCluster[]
}

/** Up to this number, points are never clustered. */
const maxUnclustered = 1000
/** Up to this number, points are drawn separately from a lower zoom than more of them. */
const maxSometimesClustered = 20_000

/** Returns the zoom from which points are drawn separately; it increases with their number. */
export function getSeparationZoom(count: number): number {
  if (count <= maxUnclustered) return 0
  return count <= maxSometimesClustered ? 13 : 14.5
}

/** Returns the zoom at which marks are computed, in steps of a half; between two steps nothing changes. */
export const getMarkLevel = (zoom: number, count: number): number =>
  zoom >= getSeparationZoom(count) ? getSeparationZoom(count) : Math.floor(zoom * 2) / 2

/** Returns the marks of points at a zoom. Clusters have the colors of their points, most frequent first. */
export function placeMarks(
  { lon, lat }: Pick<IssuePoints, 'lon' | 'lat'>,
  zoom: number,
  getColor: (index: number) => string,
): PlaceMarks {
  const indexes = Uint32Array.from(lon.keys())
  if (zoom >= getSeparationZoom(lon.length)) return { ...stackByPlace(lon, lat), clusters: [] }
  const colors: string[] = []
  const kinds = new Map<string, number>()
  const getKind = (index: number): number => {
    const color = getColor(index)
    const kind = kinds.get(color) ?? colors.push(color) - 1
    kinds.set(color, kind)
    return kind
  }
  const { alone, clusters } = clusterGrid(
    { lon: Float64Array.from(lon), lat: Float64Array.from(lat) },
    indexes,
    zoom,
    { getKind },
  )
  return {
    alone,
    stacks: [],
    clusters: clusters.map((cluster) => ({
      lon: cluster.lon,
      lat: cluster.lat,
      count: cluster.count,
      parts: [...cluster.kinds]
        .map(([kind, count]) => ({ color: colors[kind]!, count }))
        .toSorted((a, b) => b.count - a.count || a.color.localeCompare(b.color)),
    })),
  }
}

/** Returns stacks of the points at exactly the same place, and the indexes of all other points. */
function stackByPlace(lon: readonly number[], lat: readonly number[]): Pick<PlaceMarks, 'alone' | 'stacks'> {
  const places = new Map<string, Stack>()
  for (const index of lon.keys()) {
    const key = `${lon[index]} ${lat[index]}`
    const stack = places.get(key)
    if (stack) stack.count += 1
    else places.set(key, { lon: lon[index]!, lat: lat[index]!, count: 1, first: index })
  }
  const stacks = [...places.values()]
  return {
    alone: Uint32Array.from(stacks.filter(({ count }) => count === 1).map(({ first }) => first)),
    stacks: stacks.filter(({ count }) => count > 1),
  }
}

/** Finds the indexes of all issues at the place of the given one, newest first. */
export const findAtSamePlace = ({ lon, lat }: Pick<IssuePoints, 'lon' | 'lat'>, index: number): number[] =>
  lon.flatMap((value, candidate) =>
    value === lon[index] && lat[candidate] === lat[index] ? [candidate] : [],
  )
