import type { StreetGrid } from './street-grid.ts'
import type { Track } from './track.ts'

/** One street segment of a route, and whether it was ridden as it is drawn (1) or against it (-1). */
export interface MatchedSegment {
  segment: number
  direction: 1 | -1
}

/** Meters between two samples of a track. */
const stepMeters = 12
/** Further off, a vehicle is on no street. */
const maxDistanceMeters = 30
/** What riding across a street costs, as meters: a route along it is preferred. */
const crossingCostMeters = 25
/** What going over to a street without a junction with the one before costs, as meters. */
const jumpCostMeters = 15
/** A street on which a route was for less than this is no part of it: it only crossed there. */
const minSegmentMeters = 18
/** Of a shorter street at least this share. */
const minSegmentShare = 0.5

interface TrackMatch {
  segment: number
  direction: 1 | -1
  /** Meters along the route since the previous sample. */
  meters: number
}

/** The best street at a place, moving in a direction, coming from a segment (-1 for none). */
function findBestMatch(
  grid: StreetGrid,
  x: number,
  y: number,
  dx: number,
  dy: number,
  before: number,
): TrackMatch | null {
  let [best, cost] = [-1, Infinity]
  let forward = 1
  for (const edge of grid.edgesNear(x, y)) {
    const [ax, ay] = [grid.x0[edge] as number, grid.y0[edge] as number]
    const [ex, ey] = [(grid.x1[edge] as number) - ax, (grid.y1[edge] as number) - ay]
    const length = ex * ex + ey * ey
    const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * ex + (y - ay) * ey) / length))
    const distance = Math.hypot(x - ax - share * ex, y - ay - share * ey)
    if (distance > maxDistanceMeters) continue
    const along = length === 0 ? 0 : (dx * ex + dy * ey) / (Math.sqrt(length) * Math.hypot(dx, dy))
    const segment = grid.segmentOf[edge] as number
    const total =
      distance +
      crossingCostMeters * (1 - Math.abs(along)) +
      (before < 0 || segment === before || shareJunction(grid, segment, before) ? 0 : jumpCostMeters)
    if (total < cost) [best, cost, forward] = [segment, total, along]
  }
  return best < 0 ? null : { segment: best, direction: forward < 0 ? -1 : 1, meters: 0 }
}

const shareJunction = ({ from, to }: StreetGrid, a: number, b: number): boolean =>
  from[a] === from[b] || from[a] === to[b] || to[a] === from[b] || to[a] === to[b]

/** The street segments along a track in order. Parts far from any street have none. */
export function matchTrack(grid: StreetGrid, { x, y }: Track): MatchedSegment[] {
  const runs: TrackMatch[] = []
  let before = -1
  for (let at = 1; at < x.length; at++) {
    const [ax, ay] = [x[at - 1] as number, y[at - 1] as number]
    const [dx, dy] = [(x[at] as number) - ax, (y[at] as number) - ay]
    const length = Math.hypot(dx, dy)
    if (length === 0) continue
    const steps = Math.max(1, Math.round(length / stepMeters))
    for (let step = 0; step < steps; step++) {
      const share = (step + 0.5) / steps
      const match = findBestMatch(grid, ax + dx * share, ay + dy * share, dx, dy, before)
      if (!match) continue
      before = match.segment
      const last = runs.at(-1)
      if (last && last.segment === match.segment && last.direction === match.direction)
        last.meters += length / steps
      else runs.push({ ...match, meters: length / steps })
    }
  }
  return mergeRuns(grid, runs)
}

/** Removes runs that only crossed; the same street before and after such a run is joined. */
function mergeRuns({ length }: StreetGrid, runs: readonly TrackMatch[]): MatchedSegment[] {
  const mergedRuns: TrackMatch[] = []
  for (const run of runs.filter(
    ({ segment, meters }) =>
      meters >= Math.min(minSegmentMeters, (length[segment] as number) * minSegmentShare),
  )) {
    const last = mergedRuns.at(-1)
    if (!last || last.segment !== run.segment || last.direction !== run.direction) mergedRuns.push(run)
  }
  return mergedRuns.map(({ segment, direction }) => ({ segment, direction }))
}
