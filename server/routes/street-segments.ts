/** A stretch of street between two junctions. */
export interface StreetSegment {
  /** Derived from the geometry only, so that the change of a street does not affect others. Below 2^53. */
  id: number
  shapeUuid: string
  coordinates: readonly [number, number][]
}

/** A line of the streets layer, with longitude and latitude of its vertices. */
export interface StreetLine {
  shapeUuid: string
  coordinates: readonly (readonly number[])[]
}

const coordinateScale = 1e6
/** Returns a position as text, equal for positions of the same junction. */
export const makePositionKey = ([lon, lat]: readonly number[]): string =>
  `${Math.round((lon ?? 0) * coordinateScale)} ${Math.round((lat ?? 0) * coordinateScale)}`

/** Returns a 53-bit hash of the positions: two FNV-like 32-bit hashes, the upper one reduced to 21 bits. */
function computeSegmentId(keys: readonly string[]): number {
  let low = 0x811c9dc5
  let high = 0x1b873593
  const text = keys.join(',')
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  return ((high >>> 0) % 2 ** 21) * 2 ** 32 + (low >>> 0)
}

/** Splits streets at junctions: vertices that end a street or that several streets share. */
export function makeStreetSegments(lines: readonly StreetLine[]): StreetSegment[] {
  const vertexUses = new Map<string, number>()
  for (const { coordinates } of lines)
    coordinates.forEach((point, index) => {
      const isEnd = index === 0 || index === coordinates.length - 1
      const key = makePositionKey(point)
      // An end counts twice, so that it always is a junction.
      vertexUses.set(key, (vertexUses.get(key) ?? 0) + (isEnd ? 2 : 1))
    })
  const segments: StreetSegment[] = []
  for (const { shapeUuid, coordinates } of lines) {
    let stretch: [number, number][] = []
    let keys: string[] = []
    coordinates.forEach((point, index) => {
      const key = makePositionKey(point)
      if (keys.at(-1) !== key) {
        stretch.push([point[0] ?? 0, point[1] ?? 0])
        keys.push(key)
      }
      if (stretch.length > 1 && ((vertexUses.get(key) ?? 0) > 1 || index === coordinates.length - 1)) {
        segments.push({ id: computeSegmentId(keys), shapeUuid, coordinates: stretch })
        stretch = [[point[0] ?? 0, point[1] ?? 0]]
        keys = [key]
      }
    })
  }
  return segments
}
