import type { Geometry, Position } from '#contract/place.ts'

const types = ['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon'] as const

/** Geometries as typed arrays, which are transferred to a thread; nested arrays would be cloned. */
export interface PackedGeometries {
  types: Uint8Array
  /**
   * For each geometry the number of polygons, for each polygon the number of rings or lines, for each of
   * these the number of positions.
   */
  counts: Uint32Array
  coordinates: Float64Array
}

/** Returns the lines of a geometry, nested as in a MultiPolygon whatever its type. */
function nestLines(geometry: Geometry): readonly (readonly (readonly Position[])[])[] {
  switch (geometry.type) {
    case 'Point':
      return [[[geometry.coordinates]]]
    case 'MultiPoint':
    case 'LineString':
      return [[geometry.coordinates]]
    case 'MultiLineString':
    case 'Polygon':
      return [geometry.coordinates]
    case 'MultiPolygon':
      return geometry.coordinates
  }
}

/** Packs geometries into numeric arrays, which are moved between threads without a copy. */
export function packGeometries(geometries: readonly Geometry[]): PackedGeometries {
  const counts: number[] = []
  const coordinates: number[] = []
  for (const geometry of geometries) {
    const parts = nestLines(geometry)
    counts.push(parts.length)
    for (const lines of parts) {
      counts.push(lines.length)
      for (const line of lines) {
        counts.push(line.length)
        for (const position of line) coordinates.push(position[0], position[1])
      }
    }
  }
  return {
    types: Uint8Array.from(geometries, ({ type }) => types.indexOf(type)),
    counts: new Uint32Array(counts),
    coordinates: new Float64Array(coordinates),
  }
}

/** Returns the geometries that `packGeometries` packed. */
export function unpackGeometries({ types: kinds, counts, coordinates }: PackedGeometries): Geometry[] {
  let countIndex = 0
  let coordinateIndex = 0
  const readNextCount = (): number => counts[countIndex++] as number
  const readLine = (): Position[] =>
    Array.from({ length: readNextCount() }, (): Position => [
      coordinates[coordinateIndex++] as number,
      coordinates[coordinateIndex++] as number,
    ])
  const readLines = (): Position[][] => Array.from({ length: readNextCount() }, readLine)
  return Array.from(kinds, (kind): Geometry => {
    const parts = Array.from({ length: readNextCount() }, readLines)
    const [firstPart = []] = parts
    const type = types[kind]
    switch (type) {
      case 'Point':
        return { type, coordinates: firstPart[0]?.[0] as Position }
      case 'MultiPoint':
      case 'LineString':
        return { type, coordinates: firstPart[0] ?? [] }
      case 'MultiLineString':
      case 'Polygon':
        return { type, coordinates: firstPart }
      case 'MultiPolygon':
        return { type, coordinates: parts }
      default:
        throw new Error(`There is no geometry of kind ${kind}`)
    }
  })
}

/** Lists the buffers of packed geometries, which are transferred to another thread instead of copied. */
export const listPackedBuffers = ({ types: kinds, counts, coordinates }: PackedGeometries): ArrayBuffer[] => [
  kinds.buffer as ArrayBuffer,
  counts.buffer as ArrayBuffer,
  coordinates.buffer as ArrayBuffer,
]
