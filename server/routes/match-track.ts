import type { StreetGrid } from './street-grid.ts'
import type { Track } from './plane.ts'

/** A street segment of a route, ridden in the direction in which it is drawn (1) or against it (-1). */
export interface MatchedSegment {
  segment: number
  direction: 1 | -1
}

// The track is sampled, and each sample is assigned to the segment with the lowest cost: its distance plus
// the costs below.

/** The distance between two samples of a track. */
const stepMeters = 12
/** A sample farther than this from every street is on none. */
const maxDistanceMeters = 30
/** The cost of moving at a right angle to a segment, so that streets along the route are preferred. */
const crossingCostMeters = 25
/** The cost of changing to a segment that shares no junction with the previous one. */
const jumpCostMeters = 15
/** A segment with less of the route than this is removed, because the route probably only crossed it. */
const minSegmentMeters = 18
/** A shorter segment remains if this fraction of it was ridden. */
const minSegmentShare = 0.5

interface TrackMatch extends MatchedSegment {
  /** Meters along the route since the previous sample. */
  meters: number
}

/**
 * Finds the segment with the lowest cost at a point (x, y) of a track with direction (dx, dy), after segment
 * `previous` (-1: none).
 */
function findBestMatch(
  grid: StreetGrid,
  { x, y, dx, dy }: { x: number; y: number; dx: number; dy: number },
  previous: number,
): TrackMatch | null {
  let bestSegment = -1
  let bestCost = Infinity
  let bestAlignment = 1
  for (const edge of grid.findEdgesNear(x, y)) {
    const ax = grid.x0[edge] as number
    const ay = grid.y0[edge] as number
    const ex = (grid.x1[edge] as number) - ax
    const ey = (grid.y1[edge] as number) - ay
    const squaredLength = ex * ex + ey * ey
    // Where the nearest point of the edge is, from 0 (start) to 1 (end).
    const share =
      squaredLength === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * ex + (y - ay) * ey) / squaredLength))
    const distance = Math.hypot(x - ax - share * ex, y - ay - share * ey)
    if (distance > maxDistanceMeters) continue
    // The cosine of the angle between track and edge: 1 along it, -1 against it, 0 across.
    const alignment =
      squaredLength === 0 ? 0 : (dx * ex + dy * ey) / (Math.sqrt(squaredLength) * Math.hypot(dx, dy))
    const segment = grid.segmentByEdge[edge] as number
    const isConnected = previous < 0 || segment === previous || shareJunction(grid, segment, previous)
    const cost =
      distance + crossingCostMeters * (1 - Math.abs(alignment)) + (isConnected ? 0 : jumpCostMeters)
    if (cost >= bestCost) continue
    bestSegment = segment
    bestCost = cost
    bestAlignment = alignment
  }
  return bestSegment < 0 ? null : { segment: bestSegment, direction: bestAlignment < 0 ? -1 : 1, meters: 0 }
}

const shareJunction = ({ from, to }: StreetGrid, a: number, b: number): boolean =>
  from[a] === from[b] || from[a] === to[b] || to[a] === from[b] || to[a] === to[b]

/** Returns the street segments along a track, in order. Parts far from any street have none. */
export function matchTrack(grid: StreetGrid, { x, y }: Track): MatchedSegment[] {
  const runs: TrackMatch[] = []
  let previous = -1
  for (let i = 1; i < x.length; i++) {
    const ax = x[i - 1] as number
    const ay = y[i - 1] as number
    const dx = (x[i] as number) - ax
    const dy = (y[i] as number) - ay
    const length = Math.hypot(dx, dy)
    if (length === 0) continue
    const steps = Math.max(1, Math.round(length / stepMeters))
    for (let step = 0; step < steps; step++) {
      const share = (step + 0.5) / steps
      const match = findBestMatch(grid, { x: ax + dx * share, y: ay + dy * share, dx, dy }, previous)
      if (!match) continue
      previous = match.segment
      const last = runs.at(-1)
      if (last && last.segment === match.segment && last.direction === match.direction)
        last.meters += length / steps
      else runs.push({ ...match, meters: length / steps })
    }
  }
  return mergeRuns(grid, runs)
}

/** Removes runs on segments that the route only crossed, and joins runs on the same segment around one. */
function mergeRuns({ length }: StreetGrid, runs: readonly TrackMatch[]): MatchedSegment[] {
  const mergedRuns: TrackMatch[] = []
  const isRidden = ({ segment, meters }: TrackMatch): boolean =>
    meters >= Math.min(minSegmentMeters, (length[segment] as number) * minSegmentShare)
  for (const run of runs.filter(isRidden)) {
    const last = mergedRuns.at(-1)
    if (!last || last.segment !== run.segment || last.direction !== run.direction) mergedRuns.push(run)
  }
  return mergedRuns.map(({ segment, direction }) => ({ segment, direction }))
}
