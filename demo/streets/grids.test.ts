import { describe, expect, it } from 'vitest'
import { riverLine } from '../plan/river-line.ts'
import { waterAt, waterPlan } from '../plan/water-plan.ts'
import { zones, type Zone } from '../plan/zones.ts'
import { inRing, type Point } from '../plane/point.ts'
import { squareRing } from '../plane/small-meshes.ts'
import type { Cell } from '../shapes/cell.ts'
import { drawGrid } from './draw-grid.ts'
import { drawShoreDrives, drawSkeleton } from './draw-skeleton.ts'
import { fillCells } from './fill-cells.ts'

const river = riverLine()
const water = waterPlan()
const zone = (district: string): Zone => zones.find((candidate) => candidate.district === district)!
const straight = (district: string): Zone => ({ ...zone(district), sway: [0, 1000] })

describe('drawGrid', () => {
  it('runs along the angle of its zone and across it, as far apart as the zone says', () => {
    const { angle, spacing, seeds } = straight('Harborside')
    const turn = (angle! * Math.PI) / 180
    for (const { along, number, points } of drawGrid(1, straight('Harborside'), river, 1500)) {
      for (const [x, y] of points) {
        const [dx, dy] = [x - seeds[0]![0], y - seeds[0]![1]]
        const aside = along
          ? dy * Math.cos(turn) - dx * Math.sin(turn)
          : dx * Math.cos(turn) + dy * Math.sin(turn)
        expect(aside).toBeCloseTo(number * spacing[along ? 0 : 1], 6)
      }
    }
  })

  it('covers the reach both ways, every street with a number of its own', () => {
    const grid = drawGrid(1, straight('Westgate'), river, 1280)
    expect(grid.filter(({ along }) => along).map(({ number }) => number)).toEqual(
      Array.from({ length: 21 }, (_, i) => i - 10),
    )
    expect(grid.filter(({ along }) => !along).length).toBe(13)
    for (const { points } of grid)
      expect(
        Math.hypot(points[0]![0] - points.at(-1)![0], points[0]![1] - points.at(-1)![1]),
      ).toBeGreaterThan(2500)
  })

  it('sways no more than the zone says, otherwise with every seed', () => {
    const [plain, one, two] = [
      drawGrid(1, straight('Southfield'), river, 900),
      drawGrid(1, zone('Southfield'), river, 900),
      drawGrid(2, zone('Southfield'), river, 900),
    ]
    const most = Math.max(
      ...one.flatMap(({ points }, i) =>
        points.map(([x, y], k) =>
          Math.max(Math.abs(x - plain[i]!.points[k]![0]), Math.abs(y - plain[i]!.points[k]![1])),
        ),
      ),
    )
    expect(most).toBeGreaterThan(5)
    expect(most).toBeLessThanOrEqual(zone('Southfield').sway[0])
    expect(two).not.toEqual(one)
  })

  it('follows the river where the zone has no angle, never over it', () => {
    const grid = drawGrid(1, straight('Northbank'), river, 3000)
    expect(grid.length).toBeGreaterThan(30)
    for (const { along, number, points } of grid.filter(({ points }) => points.length > 4)) {
      for (const [x, y] of points) {
        const away = Math.min(...river.middle.map(([rx, ry]) => Math.hypot(rx - x, ry - y)))
        // The normals are those of a long stretch, so in the bends the bank is nearer than said.
        expect(away).toBeLessThan((along ? number * 104 : 3300) + 60)
      }
    }
    expect(grid.filter(({ along }) => along).every(({ number }) => number > 0)).toBe(true)
  })
})

describe('drawShoreDrives', () => {
  const drives = drawShoreDrives(river)

  it('draws each where it can be ridden: on the shore, not in the water', () => {
    for (const { points } of drives) {
      expect(points.length).toBeGreaterThan(8)
      const wet = points.filter(
        ([x, y]) => waterAt(water, x, y) && waterAt(water, x, y)!.name !== 'Cooper Creek',
      )
      expect(wet.length / points.length).toBeLessThan(0.25)
    }
    expect(new Set(drives.map(({ key }) => key)).size).toBe(drives.length)
  })
})

describe('drawSkeleton', () => {
  const lines = drawSkeleton(1, water, river)

  it('bounds the map, the city and all its waters', () => {
    expect(lines.filter(({ kind }) => kind === 'shore').map(({ name }) => name)).toEqual(
      water.map(({ name }) => name),
    )
    for (const { points } of lines.filter(({ kind }) => ['shore', 'limit', 'park'].includes(kind)))
      expect(points[0]).toEqual(points.at(-1))
  })

  it('bends the roads with the seed by a few metres, but neither freeways nor shores', () => {
    const others = drawSkeleton(2, water, river)
    const moved = (wanted: (kind: string) => boolean): number =>
      Math.max(
        ...lines.map(({ kind, points }, i) =>
          wanted(kind)
            ? Math.hypot(points[0]![0] - others[i]!.points[0]![0], points[0]![1] - others[i]!.points[0]![1])
            : 0,
        ),
      )
    expect(moved((kind) => kind === 'freeway' || kind === 'shore' || kind === 'park')).toBe(0)
    expect(moved((kind) => kind === 'arterial' || kind === 'local')).toBeGreaterThan(2)
    expect(moved((kind) => kind === 'arterial' || kind === 'local')).toBeLessThan(63)
    expect(others.find(({ name }) => name === 'Bay Street')!.points).not.toEqual(
      lines.find(({ name }) => name === 'Bay Street')!.points,
    )
  })
})

describe('fillCells', () => {
  const westgate = zones.findIndex(({ district }) => district === 'Westgate')
  const cell = (x: number, y: number, kind: Cell['kind'] = 'built'): Cell => ({
    rings: [squareRing(x - 500, y - 500, 1000)],
    inner: [x, y],
    area: 1e6,
    kind,
    zone: westgate,
  })
  const near = fillCells(1, [cell(-1200, 0)], river)

  it('draws streets into a built-up cell, a little over its edge and no farther', () => {
    expect(near.length).toBeGreaterThan(6)
    const outer: Point[] = squareRing(-1710, -510, 1020)
    for (const { points } of near) expect(points.every(([x, y]) => inRing(outer, x, y))).toBe(true)
  })

  it('draws none into parks, strips and water', () => {
    expect(
      fillCells(1, [cell(-1200, 0, 'park'), cell(-1200, 0, 'strip'), cell(-1200, 0, 'water')], river),
    ).toEqual([])
  })

  it('makes every third street a collector, as the zone says', () => {
    for (const { key, kind } of near) {
      const [, number] = /(-?\d+)$/.exec(key)!
      expect(kind).toBe(Number(number) % zones[westgate]!.collectorEvery === 0 ? 'collector' : 'local')
    }
  })

  it('makes blocks longer far out', () => {
    const far = fillCells(1, [cell(-6500, -2500)], river)
    expect(far.length).toBeLessThan(near.length)
    expect(far.every(({ key }) => Number(/(-?\d+)$/.exec(key)![1]) % 2 === 0)).toBe(true)
  })
})
