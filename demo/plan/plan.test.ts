import { describe, expect, it } from 'vitest'
import { inRing, ringArea } from '../plane/point.ts'
import { attractors } from '../trips/attractors.ts'
import { arterials } from './arterials.ts'
import { cityLimit } from './city-limit.ts'
import { countyRoads } from './county-roads.ts'
import { freeways } from './freeways.ts'
import { parkPlan } from './park-plan.ts'
import { placeNames } from './place-names.ts'
import { riverLine } from './river-line.ts'
import { walks } from './walks.ts'
import { waterAt, waterPlan } from './water-plan.ts'
import { zoneAt } from './zone-at.ts'
import { zones } from './zones.ts'

const water = waterPlan()
const river = riverLine()

describe('the plan', () => {
  it('gives every road and every neighbourhood a name of its own', () => {
    const roads = [...freeways, ...arterials, ...countyRoads, ...walks].map(({ name }) => name)
    expect(new Set(roads).size).toBe(roads.length)
    expect(new Set(placeNames.map(({ name }) => name)).size).toBe(placeNames.length)
  })

  it('covers about 16 by 13 kilometres', () => {
    const area = ringArea(cityLimit) / 1e6
    expect(area).toBeGreaterThan(190)
    expect(area).toBeLessThan(240)
  })

  it('has closed waters with rounded shores', () => {
    for (const { ring } of water) {
      expect(ring[0]).toEqual(ring.at(-1))
      expect(ring.length).toBeGreaterThan(4)
      expect(Math.abs(ringArea(ring))).toBeGreaterThan(10_000)
    }
  })

  it.each([
    ['Meridian River', -100, 2550],
    ['Atlantic Ocean', 9500, 0],
    ['Swan Pond', -1700, -800],
  ])('has the %s where it belongs', (name, x, y) => {
    expect(waterAt(water, x, y)?.name).toBe(name)
  })

  it('has islands on which one stands dry', () => {
    expect(waterAt(water, 4900, -2650)).toBeUndefined()
    expect(waterAt(water, 7850, -4300)).toBeUndefined()
  })

  it('lets the river grow from its valley to the sea', () => {
    expect(river.width.length).toBe(river.middle.length)
    expect(river.width.at(-1)!).toBeGreaterThan(river.width[0]! * 5)
    expect(Math.min(...river.width)).toBeGreaterThan(150)
  })

  it('has the attractors on land in the city', () => {
    const lost = attractors.filter(
      ({ at }) => !inRing(cityLimit, ...at) || waterAt(water, ...at) !== undefined,
    )
    expect(lost.map(({ name }) => name)).toEqual([])
  })

  it('has parks that are no slivers', () => {
    for (const { edge } of parkPlan) expect(Math.abs(ringArea(edge))).toBeGreaterThan(40_000)
  })
})

describe('zoneAt', () => {
  it('never crosses the river', () => {
    for (const [x, y] of [
      [-300, 3300],
      [2600, 900],
      [-5800, 1500],
      [5600, -600],
    ] as const)
      expect(zones[zoneAt(river, x, y)]!.bank).toBe('north')
    for (const [x, y] of [
      [-300, 1900],
      [900, 700],
      [-6000, -1500],
      [3300, -3400],
    ] as const)
      expect(zones[zoneAt(river, x, y)]!.bank).toBe('south')
  })

  it('finds each zone at its own seeds', () => {
    zones.forEach((zone, index) => {
      for (const [x, y] of zone.seeds) expect(zoneAt(river, x, y)).toBe(index)
    })
  })
})
