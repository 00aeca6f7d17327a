/** A stretch of street between two junctions. */
export interface StreetSegment {
  /** Of its geometry alone, so that a change of one street leaves the others' ids. Below 2^53. */
  id: number
  shapeUuid: string
  coordinates: readonly [number, number][]
}

/** A street of a layer. */
export interface StreetLine {
  shapeUuid: string
  coordinates: readonly (readonly number[])[]
}

const places = 1e6
const keyOf = ([lon, lat]: readonly number[]): string =>
  `${Math.round((lon ?? 0) * places)} ${Math.round((lat ?? 0) * places)}`

function idOf(keys: readonly string[]): number {
  let [low, high] = [0x811c9dc5, 0x1b873593]
  const text = keys.join(',')
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    low = Math.imul(low ^ sign, 0x01000193)
    high = Math.imul(high ^ sign, 0x85ebca6b)
  }
  return ((high >>> 0) % 2 ** 21) * 2 ** 32 + (low >>> 0)
}

/** Cuts streets where they meet: at every vertex that ends a street or that several share. */
export function streetSegments(lines: readonly StreetLine[]): StreetSegment[] {
  const meets = new Map<string, number>()
  for (const { coordinates } of lines)
    coordinates.forEach((point, at) => {
      const isEnd = at === 0 || at === coordinates.length - 1
      const key = keyOf(point)
      meets.set(key, (meets.get(key) ?? 0) + (isEnd ? 2 : 1))
    })
  const segments: StreetSegment[] = []
  for (const { shapeUuid, coordinates } of lines) {
    let piece: [number, number][] = []
    let keys: string[] = []
    coordinates.forEach((point, at) => {
      const key = keyOf(point)
      if (keys.at(-1) !== key) {
        piece.push([point[0] ?? 0, point[1] ?? 0])
        keys.push(key)
      }
      if (piece.length > 1 && ((meets.get(key) ?? 0) > 1 || at === coordinates.length - 1)) {
        segments.push({ id: idOf(keys), shapeUuid, coordinates: piece })
        piece = [[point[0] ?? 0, point[1] ?? 0]]
        keys = [key]
      }
    })
  }
  return segments
}
