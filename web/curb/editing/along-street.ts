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

/** A curb derived from a line that was drawn along a street. */
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

/** Within this distance of the center of a street, in meters, the side is uncertain. */
const uncertainMeters = 1
/** Two streets meet if an end of one is within this distance of the other, in meters. */
const crossingMeters = 3

/** Finds the cross streets nearest to the middle of a stretch, on both sides; distances in meters. */
export function findCrossStreets(
  streets: readonly Street[],
  { name, line }: Street,
  start: number,
  end: number,
): CrossStreets {
  const middle = (start + end) / 2
  let startCrossing = -Infinity
  let endCrossing = Infinity
  const crossStreets = { ...noCrossStreets }
  for (const other of streets) {
    if (!other.name || other.name === name) continue
    for (const streetEnd of [other.line[0], other.line.at(-1)]) {
      const crossing = streetEnd && projectOn(line, streetEnd)
      if (!crossing || Math.abs(crossing.offset) > crossingMeters) continue
      const { along } = crossing
      if (along < middle && along > startCrossing) {
        startCrossing = along
        crossStreets.start = other.name
      }
      if (along >= middle && along < endCrossing) {
        endCrossing = along
        crossStreets.end = other.name
      }
    }
  }
  return crossStreets
}

/** Finds the street closest to both ends of a line; null if none is near. Distances are in meters. */
export function findStreetAlong(
  streets: readonly Street[],
  from: Position,
  to: Position,
): { street: Street; start: number; end: number; offset: number } | null {
  let best: { street: Street; start: number; end: number; offset: number; away: number } | null = null
  for (const street of streets) {
    const start = projectOn(street.line, from)
    const end = projectOn(street.line, to)
    if (!start || !end) continue
    const farthest = Math.max(Math.abs(start.offset), Math.abs(end.offset))
    const away = Math.abs(start.offset) + Math.abs(end.offset)
    if (farthest > maxOffsetMeters || start.along === end.along || (best && away >= best.away)) continue
    best = { street, start: start.along, end: end.along, offset: start.offset + end.offset, away }
  }
  return best
}

/**
 * Finds the curb along which a line was drawn, on the side of the street on which it was drawn; null if there is
 * no street. It runs in the direction of the street, and its ends snap to those of neighbors.
 */
export function findCurbAlong(
  drawn: readonly Position[],
  streets: readonly Street[],
  { offsetMeters, neighbors }: { offsetMeters: number; neighbors: readonly Position[] },
): CurbAlong | null {
  const from = drawn[0]
  const to = drawn.at(-1)
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

/** Snaps the ends of a line to nearby ends of its neighbors, unless that would leave no length. */
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

/** Returns the ends of a line; nothing for other geometries. */
export const findEnds = (geometry: Geometry): Position[] =>
  geometry.type === 'LineString'
    ? [geometry.coordinates[0], geometry.coordinates.at(-1)].filter((end) => end !== undefined)
    : []

/** Tests whether a curb is on the opposite side of the nearest street from the side that it states. */
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
  if (!nearest || Math.abs(nearest.offset) < uncertainMeters) return false
  const actual = getCompassSide(nearest.street.line, nearest.offset)
  return actual !== null && oppositeSides[actual] === side
}

const oppositeSides: Record<StreetSide, StreetSide> = {
  N: 'S',
  NE: 'SW',
  E: 'W',
  SE: 'NW',
  S: 'N',
  SW: 'NE',
  W: 'E',
  NW: 'SE',
}
