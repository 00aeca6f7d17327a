import { isArea, getPolygons, type Geometry, type Position } from '#contract/place.ts'
import type { DrawingPart } from '#web/map/drawing-tools/drawing-board.ts'

/** Splits a geometry into parts to edit. A part's id is `<polygon>:<ring>` or (line, point) `<index>:0`. */
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

/** Replaces the positions of the part with this id. */
export function replacePart(geometry: Geometry, id: string, positions: readonly Position[]): Geometry {
  const [index = 0, ring = 0] = id.split(':').map(Number)
  const newPositions = [...positions]
  if (geometry.type === 'Polygon')
    return { ...geometry, coordinates: geometry.coordinates.with(ring, newPositions) }
  if (geometry.type === 'MultiPolygon')
    return {
      ...geometry,
      coordinates: geometry.coordinates.with(index, geometry.coordinates[index]!.with(ring, newPositions)),
    }
  if (geometry.type === 'MultiLineString')
    return { ...geometry, coordinates: geometry.coordinates.with(index, newPositions) }
  if (geometry.type === 'LineString') return { type: 'LineString', coordinates: newPositions }
  if (geometry.type === 'MultiPoint')
    return { type: 'MultiPoint', coordinates: geometry.coordinates.with(index, newPositions[0]!) }
  return { type: 'Point', coordinates: newPositions[0]! }
}
