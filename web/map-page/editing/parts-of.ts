import { isArea, polygonsOf, type Geometry, type Position } from '#contract/place.ts'
import type { DrawingPart } from '#web/map/drawing-tools/drawing-board.ts'

/** What a geometry is made of, as it is edited: one ring, line or point at a time. The id is its place: `polygon:ring`, or `part:0`. */
export function partsOf(geometry: Geometry): DrawingPart[] {
  if (isArea(geometry)) {
    return polygonsOf(geometry).flatMap((rings, polygon) =>
      rings.map((positions, ring): DrawingPart => ({
        id: `${polygon}:${ring}`,
        kind: ring === 0 ? 'outline' : 'hole',
        positions,
      })),
    )
  }
  if (geometry.type === 'Point') return [{ id: '0:0', kind: 'point', positions: [geometry.coordinates] }]
  if (geometry.type === 'MultiPoint')
    return geometry.coordinates.map((position, at): DrawingPart => ({
      id: `${at}:0`,
      kind: 'point',
      positions: [position],
    }))
  const lines = geometry.type === 'MultiLineString' ? geometry.coordinates : [geometry.coordinates]
  return lines.map((positions, at): DrawingPart => ({ id: `${at}:0`, kind: 'line', positions }))
}

/** The geometry with new positions of the part `id`. */
export function withPart(geometry: Geometry, id: string, positions: readonly Position[]): Geometry {
  const [first = 0, second = 0] = id.split(':').map(Number)
  const changed = [...positions]
  if (geometry.type === 'Polygon')
    return { ...geometry, coordinates: geometry.coordinates.with(second, changed) }
  if (geometry.type === 'MultiPolygon')
    return {
      ...geometry,
      coordinates: geometry.coordinates.with(first, geometry.coordinates[first]!.with(second, changed)),
    }
  if (geometry.type === 'MultiLineString')
    return { ...geometry, coordinates: geometry.coordinates.with(first, changed) }
  if (geometry.type === 'LineString') return { type: 'LineString', coordinates: changed }
  if (geometry.type === 'MultiPoint')
    return { type: 'MultiPoint', coordinates: geometry.coordinates.with(first, changed[0]!) }
  return { type: 'Point', coordinates: changed[0]! }
}
