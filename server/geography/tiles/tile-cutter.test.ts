import { geoJSONToTile } from '@maplibre/geojson-vt'
import { VectorTile } from '@mapbox/vector-tile'
import fc from 'fast-check'
import { PbfReader } from 'pbf'
import { describe, expect, it } from 'vitest'
import type { Geometry, Position } from '#contract/place.ts'
import { extent, exactZoom, tolerance, toTileShape } from './tile-shape.ts'
import { TileCutter } from './tile-cutter.ts'

interface DrawnFeature {
  kind: number
  lines: [number, number][][]
}

const cut = (geometries: readonly Geometry[], z: number, x: number, y: number): DrawnFeature[] => {
  const cutter = new TileCutter(z, x, y)
  for (const [at, geometry] of geometries.entries())
    cutter.add(toTileShape({ shape_uuid: `${at}`, row_hash: '', name: 'a', class: null, geometry }))
  const bytes = cutter.bytes()
  const layer = bytes && new VectorTile(new PbfReader(bytes)).layers['shapes']
  return Array.from({ length: layer?.length ?? 0 }, (_, at) => layer!.feature(at)).map((each) => ({
    kind: each.type,
    lines: each
      .loadGeometry()
      .map((line) => line.map(({ x: left, y: top }): [number, number] => [left, top])),
  }))
}

/** The same tile by the library that maps use in the browser. */
const expected = (geometries: readonly Geometry[], z: number, x: number, y: number): DrawnFeature[] => {
  const features = geometries.map((geometry) => ({ type: 'Feature' as const, properties: {}, geometry }))
  const tile = geoJSONToTile({ type: 'FeatureCollection', features } as never, z, x, y, {
    clip: true,
    extent,
    buffer: 64,
    tolerance,
    maxZoom: exactZoom,
  })
  return (tile?.features ?? []).map(({ type, geometry }) => ({
    kind: type,
    lines:
      type === 1
        ? [geometry as unknown as [number, number][]]
        : (geometry as unknown as [number, number][][]).filter((line) => line.length > 0),
  }))
}

const tileAt = ([lon, lat]: Position, z: number): [number, number, number] => [
  z,
  Math.floor(((lon + 180) / 360) * 2 ** z),
  Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z),
]

/** Rings as sets of points, because their start and direction may differ. */
const normalize = (drawn: readonly DrawnFeature[]) =>
  drawn
    .filter(({ lines }) => lines.length > 0)
    .map(({ kind, lines }) => ({
      kind,
      lines: (kind === 1 ? [lines.flat()] : lines).map((line) =>
        kind === 3 ? [...new Set(line.map(String))].sort() : line.map(String),
      ),
    }))

const place = fc
  .tuple(fc.double({ min: -0.05, max: 0.05, noNaN: true }), fc.double({ min: -0.05, max: 0.05, noNaN: true }))
  .map(([x, y]): Position => [-75.15 + x, 37.08 + y])
const line = fc.array(place, { minLength: 2, maxLength: 40 })
const ring = fc.array(place, { minLength: 3, maxLength: 40 }).map((places) => [...places, places[0]!])
/** A ring, alone or with a smaller copy as hole. */
const rings = fc.tuple(ring, fc.boolean()).map(([outer, hasHole]): Position[][] => {
  const [x, y] = [0, 1].map(
    (axis) => outer.reduce((sum, at) => sum + at[axis]!, 0) / outer.length,
  ) as Position
  return [outer, ...(hasHole ? [outer.map((at): Position => [(at[0] + x) / 2, (at[1] + y) / 2])] : [])]
})
const geometry: fc.Arbitrary<Geometry> = fc.oneof(
  place.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
  fc
    .array(place, { minLength: 1, maxLength: 5 })
    .map((coordinates): Geometry => ({ type: 'MultiPoint', coordinates })),
  line.map((coordinates): Geometry => ({ type: 'LineString', coordinates })),
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((coordinates): Geometry => ({ type: 'MultiLineString', coordinates })),
  rings.map((coordinates): Geometry => ({ type: 'Polygon', coordinates })),
  fc
    .array(rings, { minLength: 1, maxLength: 2 })
    .map((coordinates): Geometry => ({ type: 'MultiPolygon', coordinates })),
)

describe('TileCutter', () => {
  it('draws the same as the library, at every zoom', () => {
    const runs = Number(process.env['PROPERTY_RUNS'] ?? 150)
    fc.assert(
      fc.property(
        fc.array(geometry, { minLength: 1, maxLength: 4 }),
        place,
        fc.integer({ min: 0, max: 16 }),
        (geometries, middle, z) => {
          const at = tileAt(middle, z)
          expect(normalize(cut(geometries, ...at))).toEqual(normalize(expected(geometries, ...at)))
        },
      ),
      { numRuns: runs, seed: 4870 },
    )
  })

  it('draws outer rings clockwise and holes counterclockwise, in any input order', () => {
    const square = (half: number): Position[] => [
      [-half, -half],
      [half, -half],
      [half, half],
      [-half, half],
      [-half, -half],
    ]
    const areaOf = (places: readonly [number, number][]): number =>
      places.reduce(
        (sum, [x, y], at) =>
          sum + x * places[(at + 1) % places.length]![1] - places[(at + 1) % places.length]![0] * y,
        0,
      )
    for (const rings of [
      [square(20), square(10)],
      [square(20).toReversed(), square(10).toReversed()],
    ]) {
      const [drawn] = cut([{ type: 'Polygon', coordinates: rings }], 0, 0, 0)
      expect(drawn!.lines.map((each) => Math.sign(areaOf(each)))).toEqual([1, -1])
    }
  })

  it('returns null for empty tiles, and omits shapes that are too small to see', () => {
    const dot: Geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [10, 10],
          [10.00001, 10],
          [10.00001, 10.00001],
          [10, 10],
        ],
      ],
    }
    expect(new TileCutter(3, 0, 0).bytes()).toBeNull()
    expect(cut([dot], 0, 0, 0)).toEqual([])
    expect(cut([dot], ...tileAt([10, 10], 18))).toHaveLength(1)
  })

  it('includes the id, the name and a class that is a text', () => {
    const cutter = new TileCutter(0, 0, 0)
    for (const [shape_uuid, name, className] of [
      ['a', 'Ä', 'park'],
      ['b', 'Ä', 7],
    ] as const)
      cutter.add(
        toTileShape({
          shape_uuid,
          row_hash: '',
          name,
          class: className,
          geometry: { type: 'Point', coordinates: [0, 0] },
        }),
      )
    const { shapes } = new VectorTile(new PbfReader(cutter.bytes()!)).layers
    expect([0, 1].map((at) => shapes!.feature(at).properties)).toEqual([
      { shape_uuid: 'a', name: 'Ä', class: 'park' },
      { shape_uuid: 'b', name: 'Ä' },
    ])
  })
})
