import { describe, expect, it } from 'vitest'
import { riverLine } from '../plan/river-line.ts'
import { waterPlan } from '../plan/water-plan.ts'
import { zones } from '../plan/zones.ts'
import { drawMesh } from '../plane/draw-mesh.ts'
import type { Point } from '../plane/point.ts'
import { squareRing } from '../plane/small-meshes.ts'
import { traceFaces, type Faces } from '../plane/trace-faces.ts'
import { areaFeature } from './area-feature.ts'
import type { Cell } from './cell.ts'
import { findCells } from './find-cells.ts'
import { pocketPark, sortBlocks } from './sort-blocks.ts'
import { waterOfFaces } from './water-of-faces.ts'

const water = waterPlan()
const river = riverLine()
const facesOf = (...rings: Point[][]): Faces => ({
  of: new Int32Array(),
  next: new Int32Array(),
  rings: rings.map((ring) => [ring.slice(0, -1)]),
})
const around = (x: number, y: number, side: number): Point[] => squareRing(x - side / 2, y - side / 2, side)

describe('findCells', () => {
  const wide: Point[] = [
    [-5400, -2300],
    [-4500, -2300],
    [-4500, -2240],
    [-5400, -2240],
    [-5400, -2300],
  ]
  const [ocean, country, square, built, strip, north] = findCells(
    facesOf(
      around(9500, 0, 300),
      around(-20_000, 0, 300),
      around(-70, 840, 60),
      around(-4900, -2000, 500),
      wide,
      around(-300, 3400, 400),
    ),
    water,
    river,
  )

  it('knows water, country, parks, strips and what is built up', () => {
    expect([ocean, country, square, built, strip, north].map((cell) => cell!.kind)).toEqual([
      'water',
      'outside',
      'park',
      'built',
      'strip',
      'built',
    ])
  })

  it('knows the zone of what lies in the city, and of nothing else', () => {
    expect([ocean!.zone, country!.zone]).toEqual([-1, -1])
    expect(zones[square!.zone]!.district).toBe('Old Port')
    expect(zones[built!.zone]!.district).toBe('Westgate')
    expect(zones[north!.zone]!.district).toBe('Northbank')
  })

  it('measures', () => {
    expect(built!.area).toBe(250_000)
    expect(built!.inner).toEqual([-4900, -2000])
  })
})

describe('sortBlocks', () => {
  const home = (x: number, group: number): { cell: Cell; group: number } => ({
    cell: { rings: [around(x, -2000, 900)], inner: [x, -2000], area: 810_000, kind: 'built', zone: 2 },
    group,
  })
  const homes = [home(-4900, 3), home(-3900, 5)]
  const sorted = (seed: number, ...rings: Point[][]) =>
    sortBlocks(
      seed,
      facesOf(...rings),
      homes.map(({ cell }) => cell),
      homes.map(({ group }) => group),
      rings.map(() => undefined),
    )

  it('asks of which water a face is first', () => {
    const [block] = sortBlocks(1, facesOf(around(0, 0, 50)), [], [], [water[0]])
    expect(block).toMatchObject({ kind: 'water', name: 'Atlantic Ocean', neighbourhood: -1, area: 2500 })
  })

  it('knows the country and its woods', () => {
    const [field, woods] = sorted(1, around(-20_000, 0, 50), around(-11_000, 14_000, 50))
    expect(field).toMatchObject({ kind: 'outside', neighbourhood: -1 })
    expect(woods).toMatchObject({ kind: 'park', name: 'Chapel Woods', parkKind: 'nature', neighbourhood: -1 })
  })

  it('gives a block the neighbourhood of its cell, and a sliver between cells the nearest', () => {
    const [west, east, sliver] = sorted(
      1,
      around(-4700, -2100, 40),
      around(-3800, -1900, 40),
      around(-3440, -1700, 6),
    )
    expect([west!.neighbourhood, east!.neighbourhood, sliver!.neighbourhood]).toEqual([3, 5, 5])
  })

  it('makes a few blocks pocket parks, others with another seed', () => {
    const rings = Array.from({ length: 400 }, (_, i) =>
      around(-5300 + (i % 20) * 40, -2400 + Math.floor(i / 20) * 40, 100),
    )
    const parks = [1, 2, 3, 4, 5].map((seed) =>
      sorted(seed, ...rings).flatMap(({ kind }, i) => (kind === 'park' ? [i] : [])),
    )
    const share = parks.flat().length / (400 * 5)
    expect(share).toBeGreaterThan(0.015)
    expect(share).toBeLessThan(0.045)
    expect(parks[0]).not.toEqual(parks[1])
    expect(sorted(1, ...rings).flatMap(({ kind }, i) => (kind === 'park' ? [i] : []))).toEqual(parks[0])
  })
})

describe('pocketPark', () => {
  it('greens strips along the water, but not in the port or tiny ones', () => {
    expect(pocketPark(0, true, 5000, -3000, 900)?.name).toBe('Waterfront Park')
    expect(pocketPark(0, true, 3999, -3000, 900)).toBeUndefined()
    expect(pocketPark(0, true, 5000, 2000, -1500)).toBeUndefined()
    expect(pocketPark(0xffffffff, true, 5000, -3000, 900)).toBeUndefined()
  })

  it('takes blocks that are neither small nor large, and names them', () => {
    expect(pocketPark(0x00000025, false, 8000, 0, 0)?.name).toMatch(
      /^[A-Z][a-z]+ (Square|Park|Green|Playground|Gardens|Common)$/,
    )
    expect(pocketPark(0x00000025, false, 6999, 0, 0)).toBeUndefined()
    expect(pocketPark(0x00000025, false, 90_001, 0, 0)).toBeUndefined()
    expect(pocketPark(0x80000000, false, 8000, 0, 0)).toBeUndefined()
  })
})

describe('waterOfFaces', () => {
  it('asks only faces with a shore', () => {
    const rings = [around(9500, 0, 400), around(10_500, 0, 400)]
    const mesh = drawMesh(rings)
    const faces = traceFaces(mesh)
    const line = (kind: 'shore' | 'limit') => ({ kind, key: kind, name: kind, bridge: false, points: [] })
    expect(
      waterOfFaces(mesh, faces, [line('shore'), line('limit')], water).map((body) => body?.name),
    ).toEqual(['Atlantic Ocean', undefined])
  })
})

describe('areaFeature', () => {
  it('is a polygon of one and a multipolygon of more', () => {
    const [one, other] = [[around(0, 0, 100)], [around(500, 0, 100)]]
    const single = areaFeature([one], { name: 'A' }, { lon: -75, lat: 37 })
    expect(single.geometry.type).toBe('Polygon')
    expect(areaFeature([one, other], { name: 'A' }, { lon: -75, lat: 37 }).geometry).toMatchObject({
      type: 'MultiPolygon',
      coordinates: [single.geometry.coordinates, expect.any(Array)],
    })
    expect(single.properties).toEqual({ name: 'A' })
  })
})
