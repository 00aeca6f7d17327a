import fc from 'fast-check'
import type { Geometry, Position } from '#contract/place.ts'
import type { ExportedShape } from './export-format.ts'

/** Returns a counterclockwise box, optionally with a clockwise hole. */
function box(x: number, y: number, size: number, isHollow: boolean): Position[][] {
  const ring = (inset: number, length: number): Position[] => [
    [x + inset, y + inset],
    [x + inset + length, y + inset],
    [x + inset + length, y + inset + length],
    [x + inset, y + inset + length],
    [x + inset, y + inset],
  ]
  return isHollow ? [ring(0, size), ring(size / 4, size / 2).toReversed()] : [ring(0, size)]
}

const coordinate = fc
  .double({ min: -80, max: 80, noNaN: true })
  .map((value) => Math.round(value * 1e6) / 1e6 + 0)
const position = fc.tuple(coordinate, coordinate) as fc.Arbitrary<Position>
const line = fc.array(position, { minLength: 2, maxLength: 5 })

export const anyArea: fc.Arbitrary<Geometry> = fc.oneof(
  fc
    .record({ x: coordinate, y: coordinate, isHollow: fc.boolean() })
    .map(({ x, y, isHollow }): Geometry => ({ type: 'Polygon', coordinates: box(x, y, 1, isHollow) })),
  fc.record({ x: coordinate, y: coordinate, isHollow: fc.boolean() }).map(({ x, y, isHollow }): Geometry => ({
    type: 'MultiPolygon',
    coordinates: [box(x, y, 1, isHollow), box(x + 3, y, 2, isHollow)],
  })),
)
export const anyGeometry: fc.Arbitrary<Geometry> = fc.oneof(
  anyArea,
  line.map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
  fc.tuple(line, line).map((coordinates): Geometry => ({ type: 'MultiLineString', coordinates })),
  position.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
  fc.tuple(position, position).map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates })),
)

/** Text without control characters, trimmed and not empty. */
export const anyText = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((text) => `${text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()}x`)

/** Generates shapes with properties of each type (text, number, boolean), any of which may be missing. */
export const anyShapes = (geometry: fc.Arbitrary<Geometry>): fc.Arbitrary<ExportedShape[]> =>
  fc.array(
    fc.record({
      shape_uuid: fc.uuid(),
      shape_id: anyText,
      shape_name: anyText,
      shape_description: fc.option(anyText),
      geom: geometry,
      properties: fc.record({
        'Street & <No>': fc.option(anyText),
        inhabitants: fc.option(fc.integer()),
        'share of "all"': fc.option(
          fc.integer({ min: -9999, max: 9999 }).map((hundredths) => hundredths / 100 + 0),
        ),
        is_open: fc.option(fc.boolean()),
      }),
    }),
    { minLength: 1, maxLength: 8 },
  )
