import { isArea, getPolygons, type Geometry, type Position } from '#contract/place.ts'
import type { DrawingPart } from '#web/map/drawing-tools/drawing-board.ts'

/**
 * Splits a geometry into rings, lines and points, which are edited one at a time. The id of a part is its
 * position: `polygon:ring`, or `part:0`.
 */
export function toDrawingParts(geometry: Geometry): DrawingPart[] {
  if (isArea(geometry)) {
    return getPolygons(geometry).flatMap((rings, polygon) =>
      rings.map((positions, ring): DrawingPart => ({
        id: `${polygon}:${ring}`,
        kind: ring === 0 ? 'outline' : 'hole',
        positions,
      })),
    )
  }
  if (geometry.type === 'Point') return [{ id: '0:0', kind: 'point', positions: [geometry.coordinates] }]
  if (geometry.type === 'MultiPoint')
    return geometry.coordinates.map((position, index): DrawingPart => ({
      id: `${index}:0`,
      kind: 'point',
      positions: [position],
    }))
  const lines = geometry.type === 'MultiLineString' ? geometry.coordinates : [geometry.coordinates]
  return lines.map((positions, index): DrawingPart => ({ id: `${index}:0`, kind: 'line', positions }))
}

/** Replaces the positions of the part `id`. */
export function replacePart(geometry: Geometry, id: string, positions: readonly Position[]): Geometry {
  const [part = 0, ring = 0] = id.split(':').map(Number)
  const replaced = [...positions]
  if (geometry.type === 'Polygon')
    return { ...geometry, coordinates: geometry.coordinates.with(ring, replaced) }
  if (geometry.type === 'MultiPolygon')
    return {
      ...geometry,
      coordinates: geometry.coordinates.with(part, geometry.coordinates[part]!.with(ring, replaced)),
    }
  if (geometry.type === 'MultiLineString')
    return { ...geometry, coordinates: geometry.coordinates.with(part, replaced) }
  if (geometry.type === 'LineString') return { type: 'LineString', coordinates: replaced }
  if (geometry.type === 'MultiPoint')
    return { type: 'MultiPoint', coordinates: geometry.coordinates.with(part, replaced[0]!) }
  return { type: 'Point', coordinates: replaced[0]! }
}
