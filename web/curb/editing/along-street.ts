import type { StreetSide } from '#contract/cds.ts'
import type { Geometry, Position } from '#contract/place.ts'
import { lineLength, lineBetween, metersApart, offsetLine, projectOn, getCompassSide } from './curb-lines.ts'

/** A street edge: one block of one street. */
export interface Street {
  name: string
  line: readonly Position[]
}

/** Largest distance, in meters, between a drawn line and the center of the street that it belongs to. */
const maxOffsetMeters = 40
/** Line ends within this distance, in meters, of the end of a neighbor on the same side snap to it. */
export const endSnapMeters = 4

export interface CurbAlong {
  line: Position[]
  streetName: string
  side: StreetSide | null
  crossStreets: CrossStreets
}

/** The cross streets at both ends of a stretch of a street; '' if unknown. */
export interface CrossStreets {
  start: string
  end: string
}
export const noCrossStreets: CrossStreets = { start: '', end: '' }

/** Two streets meet if an end of one is within this distance of the other, in meters. */
const crossingMeters = 3

/** Finds the nearest cross streets before and after a stretch of a street, in the direction of the street. */
export function findCrossStreets(
  streets: readonly Street[],
  { name, line }: Street,
  start: number,
  end: number,
): CrossStreets {
  const [from, to] = [Math.min(start, end), Math.max(start, end)]
  const middle = (from + to) / 2
  let [before, after] = [-Infinity, Infinity]
  const crossStreets = { ...noCrossStreets }
  for (const other of streets) {
    if (!other.name || other.name === name) continue
    for (const streetEnd of [other.line[0], other.line.at(-1)]) {
      const crossing = streetEnd && projectOn(line, streetEnd)
      if (!crossing || Math.abs(crossing.offset) > crossingMeters) continue
      const { along } = crossing
      if (along < middle && along > before) [before, crossStreets.start] = [along, other.name]
      if (along >= middle && along < after) [after, crossStreets.end] = [along, other.name]
    }
  }
  return crossStreets
}

/** Finds the street that a line was drawn along: the one closest to both ends of the line. */
export function findStreetAlong(
  streets: readonly Street[],
  from: Position,
  to: Position,
): { street: Street; start: number; end: number; offset: number } | null {
  let best: { street: Street; start: number; end: number; offset: number; away: number } | null = null
  for (const street of streets) {
    const [a, b] = [projectOn(street.line, from), projectOn(street.line, to)]
    if (!a || !b) continue
    const farthest = Math.max(Math.abs(a.offset), Math.abs(b.offset))
    const away = Math.abs(a.offset) + Math.abs(b.offset)
    if (farthest > maxOffsetMeters || a.along === b.along || (best && away >= best.away)) continue
    best = { street, start: a.along, end: b.along, offset: a.offset + b.offset, away }
  }
  return best
}

/**
 * The curb of the street that a line was drawn along, on the side on which it was drawn; null if there is no
 * street. It runs in the direction of the street, and its ends snap to those of neighbors.
 */
export function curbAlong(
  drawn: readonly Position[],
  streets: readonly Street[],
  { offsetMeters, neighbors }: { offsetMeters: number; neighbors: readonly Position[] },
): CurbAlong | null {
  const [from, to] = [drawn[0], drawn.at(-1)]
  const match = from && to ? findStreetAlong(streets, from, to) : null
  if (!match) return null
  const { street, start, end, offset } = match
  const center = lineBetween(street.line, Math.min(start, end), Math.max(start, end))
  if (center.length < 2) return null
  const sign = offset < 0 ? -1 : 1
  const line = offsetLine(center, sign * offsetMeters)
  return {
    line: snapEnds(line, neighbors),
    streetName: street.name,
    side: getCompassSide(center, sign),
    crossStreets: findCrossStreets(streets, street, start, end),
  }
}

/** Snaps the ends of a line to nearby ends of its neighbors. */
export function snapEnds(line: readonly Position[], neighbors: readonly Position[]): Position[] {
  const snapped = [...line]
  for (const index of [0, line.length - 1]) {
    const end = line[index]
    if (!end) continue
    const nearest = neighbors
      .map((place) => ({ place, meters: metersApart(end, place) }))
      .filter(({ meters }) => meters <= endSnapMeters)
      .toSorted((a, b) => a.meters - b.meters)[0]
    if (nearest) snapped[index] = nearest.place
  }
  return lineLength(snapped) > 0 ? snapped : [...line]
}

/** First and last positions of lines. */
export const findEnds = (geometry: Geometry): Position[] =>
  geometry.type === 'LineString'
    ? [geometry.coordinates[0], geometry.coordinates.at(-1)].filter((end) => end !== undefined)
    : []

/**
 * Whether a curb is on the opposite side of its street from the side that it states, judged by the nearest
 * street.
 */
export function isOnOtherSide(
  line: readonly Position[],
  side: StreetSide,
  streets: readonly Street[],
): boolean {
  const middle = lineBetween(line, lineLength(line) / 2, lineLength(line))[0]
  if (!middle) return false
  let nearest: { street: Street; offset: number } | null = null
  for (const street of streets) {
    const projection = projectOn(street.line, middle)
    if (!projection || Math.abs(projection.offset) > maxOffsetMeters) continue
    if (!nearest || Math.abs(projection.offset) < Math.abs(nearest.offset))
      nearest = { street, offset: projection.offset }
  }
  // Within a meter of the center, the side of the street is uncertain.
  if (!nearest || Math.abs(nearest.offset) < 1) return false
  const actual = getCompassSide(nearest.street.line, nearest.offset)
  return actual !== null && opposite[actual] === side
}

const opposite: Record<StreetSide, StreetSide> = {
  N: 'S',
  NE: 'SW',
  E: 'W',
  SE: 'NW',
  S: 'N',
  SW: 'NE',
  W: 'E',
  NW: 'SE',
}
