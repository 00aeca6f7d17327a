import { measureDistance } from '#server/geography/geometry/distance.ts'
import type { Position } from '#contract/place.ts'

/** Signs farther from every curb than this belong to none. */
export const snapMeters = 12

/** The size of a grid cell: about 50 m, more than `snapMeters`, so the nearest curb is in an adjacent cell. */
const cellDegrees = 0.0005
/** Maximum number of cells of an edge in each direction; edges of many kilometers would fill too many. */
const maxCells = 200
/** Vertices closer than this (m) to a cut are left out, because the cut itself is a vertex. */
const sameVertexMeters = 1e-6

/** A curb line, and the distance of each vertex from its start along the line in meters. */
export interface CurbLine {
  line: Position[]
  measures: number[]
}

/** Measures the distance of each vertex of a line from its start. */
export function createCurbLine(line: Position[]): CurbLine {
  const measures = [0]
  for (let i = 1; i < line.length; i++) {
    const [fromLon, fromLat] = line[i - 1] as Position
    const [toLon, toLat] = line[i] as Position
    const meters = measureDistance({ lon: fromLon, lat: fromLat }, { lon: toLon, lat: toLat })
    measures.push((measures[i - 1] ?? 0) + meters)
  }
  return { line, measures }
}

/** Returns the length of a curb in meters. */
export const getCurbLength = ({ measures }: CurbLine): number => measures.at(-1) ?? 0

/** The place on a curb that is nearest to a sign. */
export interface Snap {
  /** Index of the curb. */
  curb: number
  /** Meters from the start of the curb. */
  along: number
  /** Meters from the sign to the curb. */
  distance: number
}

/** Finds the nearest curb of a place. A grid limits the search to curbs nearby. */
export class CurbLines {
  readonly #curbs: readonly CurbLine[]
  readonly #cells = new Map<string, Set<number>>()

  constructor(curbs: readonly CurbLine[]) {
    this.#curbs = curbs
    for (const [index, { line }] of curbs.entries())
      for (let i = 1; i < line.length; i++) this.#addEdge(index, line[i - 1] as Position, line[i] as Position)
  }

  /** Returns the nearest place on a curb within `snapMeters`; null if there is none. */
  findNearest(place: Position): Snap | null {
    const column = Math.floor(place[0] / cellDegrees)
    const row = Math.floor(place[1] / cellDegrees)
    const candidates = new Set<number>()
    for (let x = column - 1; x <= column + 1; x++)
      for (let y = row - 1; y <= row + 1; y++)
        for (const index of this.#cells.get(`${x} ${y}`) ?? []) candidates.add(index)
    let best: Snap | null = null
    for (const curb of candidates) {
      const nearest = findNearestOn(this.#curbs[curb] as CurbLine, place)
      if (nearest.distance <= snapMeters && (!best || nearest.distance < best.distance))
        best = { curb, ...nearest }
    }
    return best
  }

  #addEdge(index: number, from: Position, to: Position): void {
    const columns = [from[0], to[0]].map((value) => Math.floor(value / cellDegrees)).toSorted((a, b) => a - b)
    const rows = [from[1], to[1]].map((value) => Math.floor(value / cellDegrees)).toSorted((a, b) => a - b)
    const lastColumn = Math.min(columns[1] ?? 0, (columns[0] ?? 0) + maxCells)
    const lastRow = Math.min(rows[1] ?? 0, (rows[0] ?? 0) + maxCells)
    for (let x = columns[0] ?? 0; x <= lastColumn; x++)
      for (let y = rows[0] ?? 0; y <= lastRow; y++) {
        const key = `${x} ${y}`
        let cell = this.#cells.get(key)
        if (!cell) this.#cells.set(key, (cell = new Set()))
        cell.add(index)
      }
  }
}

/** Finds the place on a curb that is nearest to a position. */
function findNearestOn(
  { line, measures }: CurbLine,
  [lon, lat]: Position,
): { along: number; distance: number } {
  const scale = Math.cos((lat * Math.PI) / 180)
  let best = { along: 0, distance: Infinity }
  for (let index = 1; index < line.length; index++) {
    const [x1, y1] = line[index - 1] as Position
    const [x2, y2] = line[index] as Position
    const dx = (x2 - x1) * scale
    const dy = y2 - y1
    const squaredLength = dx * dx + dy * dy
    // The position of the projection of the place on the edge, from 0 (start) to 1 (end).
    const share =
      squaredLength === 0
        ? 0
        : Math.max(0, Math.min(1, ((lon - x1) * scale * dx + (lat - y1) * dy) / squaredLength))
    const distance = measureDistance(
      { lon, lat },
      { lon: x1 + (x2 - x1) * share, lat: y1 + (y2 - y1) * share },
    )
    const from = measures[index - 1] ?? 0
    const to = measures[index] ?? 0
    if (distance < best.distance) best = { along: from + (to - from) * share, distance }
  }
  return best
}

/** Returns the part of a curb between two distances from its start. */
export function cutCurb({ line, measures }: CurbLine, from: number, to: number): Position[] {
  const part: Position[] = [getPointAt({ line, measures }, from)]
  for (const [i, measure] of measures.entries())
    if (measure > from + sameVertexMeters && measure < to - sameVertexMeters) part.push(line[i] as Position)
  part.push(getPointAt({ line, measures }, to))
  return part
}

/** Returns the point of a curb at a distance from its start. */
function getPointAt({ line, measures }: CurbLine, along: number): Position {
  const nextIndex = measures.findIndex((measure) => measure >= along)
  const index = nextIndex < 0 ? line.length - 1 : Math.max(1, nextIndex)
  const from = measures[index - 1] ?? 0
  const to = measures[index] ?? 0
  const share = to > from ? Math.max(0, Math.min(1, (along - from) / (to - from))) : 0
  const [x1, y1] = line[index - 1] as Position
  const [x2, y2] = line[index] as Position
  return [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share]
}
