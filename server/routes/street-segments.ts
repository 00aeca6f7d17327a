/** A stretch of street between two junctions. */
export interface StreetSegment {
  /** An id from the geometry alone, so that a change of one street does not affect the others. Below 2^53. */
  id: number
  shapeUuid: string
  coordinates: readonly [number, number][]
}

/** A street of a layer. */
export interface StreetLine {
  shapeUuid: string
  coordinates: readonly (readonly number[])[]
}

const coordinateScale = 1e6
const positionKey = ([lon, lat]: readonly number[]): string =>
  `${Math.round((lon ?? 0) * coordinateScale)} ${Math.round((lat ?? 0) * coordinateScale)}`

function segmentId(keys: readonly string[]): number {
  let [low, high] = [0x811c9dc5, 0x1b873593]
  const text = keys.join(',')
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    low = Math.imul(low ^ sign, 0x01000193)
    high = Math.imul(high ^ sign, 0x85ebca6b)
  }
  return ((high >>> 0) % 2 ** 21) * 2 ** 32 + (low >>> 0)
}

/** Splits streets where they meet: at every vertex that ends a street or that several share. */
export function streetSegments(lines: readonly StreetLine[]): StreetSegment[] {
  const vertexUses = new Map<string, number>()
  for (const { coordinates } of lines)
    coordinates.forEach((point, at) => {
      const isEnd = at === 0 || at === coordinates.length - 1
      const key = positionKey(point)
      vertexUses.set(key, (vertexUses.get(key) ?? 0) + (isEnd ? 2 : 1))
    })
  const segments: StreetSegment[] = []
  for (const { shapeUuid, coordinates } of lines) {
    let stretch: [number, number][] = []
    let keys: string[] = []
    coordinates.forEach((point, at) => {
      const key = positionKey(point)
      if (keys.at(-1) !== key) {
        stretch.push([point[0] ?? 0, point[1] ?? 0])
        keys.push(key)
      }
      if (stretch.length > 1 && ((vertexUses.get(key) ?? 0) > 1 || at === coordinates.length - 1)) {
        segments.push({ id: segmentId(keys), shapeUuid, coordinates: stretch })
        stretch = [[point[0] ?? 0, point[1] ?? 0]]
        keys = [key]
      }
    })
  }
  return segments
}
