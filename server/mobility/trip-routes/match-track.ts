import type { StreetGrid } from './street-grid.ts'
import type { Track } from './track.ts'

/** One street segment of a way, and whether it was ridden as it is drawn (1) or against it (-1). */
export interface MatchedSegment {
  segment: number
  direction: 1 | -1
}

/** Metres between two looks at a track. */
const stepMetres = 12
/** Further off, a vehicle is on no street. */
const reachMetres = 30
/** What riding across a street costs, as metres: a way along it is preferred. */
const acrossMetres = 25
/** What going over to a street without a junction with the one before costs, as metres. */
const jumpMetres = 15
/** A street on which a way was for less than this is no part of it: it only crossed there. */
const leastMetres = 18
/** Of a shorter street at least this share. */
const leastShare = 0.5

interface Look {
  segment: number
  direction: 1 | -1
  /** Metres along the way since the look before. */
  metres: number
}

/** The best street at a place, riding in a direction, coming from a segment (-1: none). */
function bestAt(grid: StreetGrid, x: number, y: number, dx: number, dy: number, before: number): Look | null {
  let [best, cost] = [-1, Infinity]
  let forward = 1
  for (const edge of grid.near(x, y)) {
    const [ax, ay] = [grid.x0[edge] as number, grid.y0[edge] as number]
    const [ex, ey] = [(grid.x1[edge] as number) - ax, (grid.y1[edge] as number) - ay]
    const length = ex * ex + ey * ey
    const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * ex + (y - ay) * ey) / length))
    const off = Math.hypot(x - ax - share * ex, y - ay - share * ey)
    if (off > reachMetres) continue
    const along = length === 0 ? 0 : (dx * ex + dy * ey) / (Math.sqrt(length) * Math.hypot(dx, dy))
    const segment = grid.segmentOf[edge] as number
    const total =
      off +
      acrossMetres * (1 - Math.abs(along)) +
      (before < 0 || segment === before || meet(grid, segment, before) ? 0 : jumpMetres)
    if (total < cost) [best, cost, forward] = [segment, total, along]
  }
  return best < 0 ? null : { segment: best, direction: forward < 0 ? -1 : 1, metres: 0 }
}

const meet = ({ from, to }: StreetGrid, a: number, b: number): boolean =>
  from[a] === from[b] || from[a] === to[b] || to[a] === from[b] || to[a] === to[b]

/** The street segments along a track in the order in which they were ridden. Where it is far from any street, none. */
export function matchTrack(grid: StreetGrid, { x, y }: Track): MatchedSegment[] {
  const runs: Look[] = []
  let before = -1
  for (let at = 1; at < x.length; at++) {
    const [ax, ay] = [x[at - 1] as number, y[at - 1] as number]
    const [dx, dy] = [(x[at] as number) - ax, (y[at] as number) - ay]
    const length = Math.hypot(dx, dy)
    if (length === 0) continue
    const steps = Math.max(1, Math.round(length / stepMetres))
    for (let step = 0; step < steps; step++) {
      const share = (step + 0.5) / steps
      const look = bestAt(grid, ax + dx * share, ay + dy * share, dx, dy, before)
      if (!look) continue
      before = look.segment
      const last = runs.at(-1)
      if (last && last.segment === look.segment && last.direction === look.direction)
        last.metres += length / steps
      else runs.push({ ...look, metres: length / steps })
    }
  }
  return merged(grid, runs)
}

/** Runs without those that only crossed; the same street before and after such a one is one run. */
function merged({ length }: StreetGrid, runs: readonly Look[]): MatchedSegment[] {
  const kept: Look[] = []
  for (const run of runs.filter(
    ({ segment, metres }) => metres >= Math.min(leastMetres, (length[segment] as number) * leastShare),
  )) {
    const last = kept.at(-1)
    if (!last || last.segment !== run.segment || last.direction !== run.direction) kept.push(run)
  }
  return kept.map(({ segment, direction }) => ({ segment, direction }))
}
