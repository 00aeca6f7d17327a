import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CityFeature } from '../city.ts'
import type { Point } from '../plane/point.ts'
import type { DrawnLine } from './drawn-line.ts'
import { knotLines } from './knot-lines.ts'
import { streetFeatures } from './street-features.ts'

const line = (kind: DrawnLine['kind'], name: string, ...points: Point[]): DrawnLine => ({
  kind,
  key: name,
  name,
  bridge: false,
  points,
})
const featuresOf = (lines: DrawnLine[]): CityFeature[] =>
  streetFeatures(knotLines(lines), lines, { lon: 0, lat: 0 })
/** Metres along the feature; degrees were rounded, so to a metre. */
const metres = ({ geometry }: CityFeature): number => {
  const places = geometry.coordinates as number[][]
  return Math.round(
    places
      .slice(1)
      .reduce(
        (sum, [lon, lat], i) => sum + Math.hypot(lon! - places[i]![0]!, lat! - places[i]![1]!) * 111_195,
        0,
      ),
  )
}
const told = (features: CityFeature[]): string[] =>
  features
    .map((feature) => `${feature.properties.name} ${feature.properties.class} ${metres(feature)}`)
    .toSorted()

describe('streetFeatures', () => {
  it('runs a street through its junctions as one line', () => {
    const lines = [
      line('arterial', 'Bay Street', [0, 0], [900, 0]),
      ...[200, 450, 700].map((x) => line('local', `Lane ${x}`, [x, -100], [x, 100])),
    ]
    expect(told(featuresOf(lines))).toEqual([
      'Bay Street arterial 900',
      'Lane 200 local 200',
      'Lane 450 local 200',
      'Lane 700 local 200',
    ])
  })

  it('joins the pieces of one street that were drawn apart, whichever way they run', () => {
    const pieces: Point[][] = [
      [
        [600, 0],
        [300, 0],
      ],
      [
        [0, 0],
        [300, 0],
      ],
      [
        [600, 0],
        [900, 0],
      ],
    ]
    expect(told(featuresOf(pieces.map((points) => line('local', 'Oak Street', ...points))))).toEqual([
      'Oak Street local 900',
    ])
  })

  it('keeps stretches apart that do not meet', () => {
    const pieces: Point[][] = [
      [
        [0, 0],
        [300, 0],
      ],
      [
        [400, 0],
        [700, 0],
      ],
    ]
    expect(told(featuresOf(pieces.map((points) => line('local', 'Oak Street', ...points))))).toEqual([
      'Oak Street local 300',
      'Oak Street local 300',
    ])
  })

  it('draws a ring road all the way around', () => {
    const [ring, ...more] = featuresOf([
      line('park', 'Green Drive', [0, 0], [300, 0], [300, 300], [0, 300], [0, 0]),
    ])
    expect(more).toEqual([])
    expect(ring!.properties).toEqual({ name: 'Green Drive', class: 'collector' })
    expect(metres(ring!)).toBe(1200)
    expect((ring!.geometry.coordinates as number[][]).at(-1)).toEqual(ring!.geometry.coordinates[0])
  })

  it('shows no shores and limits', () => {
    expect(
      featuresOf([line('shore', 'Bay', [0, 0], [900, 0]), line('limit', 'city', [0, 90], [900, 90])]),
    ).toEqual([])
  })

  it('ends local streets a stretch before the freeway, and others at it', () => {
    const freeway = line('freeway', 'Expressway', [-900, 300], [900, 300])
    const streets = [
      line('local', 'Ash Lane', [0, 0], [0, 200], [0, 300]),
      line('collector', 'Main Road', [400, 0], [400, 200], [400, 300]),
    ]
    expect(told(featuresOf([freeway, ...streets]))).toEqual([
      'Ash Lane local 200',
      'Expressway freeway 1800',
      'Main Road collector 300',
    ])
  })

  it('draws every metre of every street once, whatever the streets', () => {
    const coordinate = fc.integer({ min: 0, max: 12 }).map((steps) => steps * 60)
    const street = fc.array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(street, { minLength: 1, maxLength: 6 }), (streets) => {
        const lines = streets.map((points, i) => line('collector', `Street ${i % 3}`, ...points))
        const mesh = knotLines(lines)
        const drawn = mesh.from.reduce(
          (sum, a, e) =>
            sum + Math.hypot(mesh.x[a]! - mesh.x[mesh.to[e]!]!, mesh.y[a]! - mesh.y[mesh.to[e]!]!),
          0,
        )
        const shown = streetFeatures(mesh, lines, { lon: 0, lat: 0 }).reduce(
          (sum, feature) => sum + metres(feature),
          0,
        )
        expect(Math.abs(shown - drawn)).toBeLessThan(15)
      }),
      { seed: 2, numRuns: 60 },
    )
  })
})
