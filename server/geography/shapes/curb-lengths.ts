import type { CurbLengths } from '#contract/geography-use.ts'
import type { Geometry } from '#contract/place.ts'
import { measureLineLength } from '../geometry/distance.ts'

interface NamedShape {
  shapeId: string
  name: string
  geometry: Geometry
}

/** Returns the length of the lines of a geometry in meters; null if it has none. */
function measureGeometry(geometry: Geometry): number | null {
  if (geometry.type === 'LineString') return measureLineLength(geometry.coordinates)
  if (geometry.type === 'MultiLineString')
    return geometry.coordinates.reduce((sum, line) => sum + measureLineLength(line), 0)
  return null
}

/** Measures all lines in the order of the layer, in meters rounded to centimeters. */
export function measureCurbLengths(shapes: readonly NamedShape[]): CurbLengths {
  const round = (meters: number): number => Math.round(meters * 100) / 100
  const items = shapes.flatMap(({ shapeId, name, geometry }) => {
    const length = measureGeometry(geometry)
    return length === null ? [] : [{ shape_uuid: shapeId, shape_name: name, length_m: round(length) }]
  })
  const lengths = items.map(({ length_m: length }) => length)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const roundOrNull = (value: number): number | null => (items.length ? round(value) : null)
  return {
    count: items.length,
    total_length_m: round(total),
    average_length_m: roundOrNull(total / items.length),
    min_length_m: roundOrNull(Math.min(...lengths)),
    max_length_m: roundOrNull(Math.max(...lengths)),
    items,
  }
}
