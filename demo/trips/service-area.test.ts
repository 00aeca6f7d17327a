import { describe, expect, it } from 'vitest'
import { operators } from '../operators.ts'
import { makeSmallCity } from '../small-city.ts'
import type { AliasTable } from './alias-table.ts'
import { attractors } from './attractors.ts'
import { rhythm } from './rhythm.ts'
import { computeDayDemand } from './day-demand.ts'
import { dayNumber } from '../day-number.ts'
import { makeServiceArea } from './service-area.ts'

/** Returns the probability of each index of a table. */
function getShares({ probability, alias }: AliasTable): number[] {
  const found = Array.from(probability, () => 0)
  probability.forEach((share, slot) => {
    found[slot]! += share / probability.length
    found[alias[slot]!]! += (1 - share) / probability.length
  })
  return found
}

describe('serviceArea', () => {
  const graph = makeSmallCity().streets
  const [zephyr, , , sandpiper] = operators
  const area = makeServiceArea(graph, sandpiper!)
  const wide = makeServiceArea(graph, zephyr!)
  const getCenter = (s: number): readonly [number, number] => {
    const places = [...wide.squares[s]!.edges].flatMap((e) => [...graph.edges[e]!.path])
    const mean = (axis: number): number =>
      places.filter((_, i) => i % 2 === axis).reduce((sum, meters) => sum + meters, 0) / (places.length / 2)
    return [mean(0), mean(1)]
  }
  const findSquareNear = (name: string): number => {
    const { center } = attractors.find((attractor) => attractor.name === name)!
    const away = wide.squares.map((_, s) =>
      Math.hypot(getCenter(s)[0] - center[0], getCenter(s)[1] - center[1]),
    )
    return away.indexOf(Math.min(...away))
  }

  it('contains only streets in districts of the operator, each in one square', () => {
    const served = new Set(
      graph.edges.filter((_, e) => area.squareByEdge[e]! >= 0).map(({ district }) => district),
    )
    expect([...served].toSorted()).toEqual(sandpiper!.districts.toSorted())
    const edges = area.squares.flatMap((square) => [...square.edges])
    expect(new Set(edges).size).toBe(edges.length)
    expect(edges.length).toBe([...area.squareByEdge].filter((s) => s >= 0).length)
    area.squares.forEach(({ edges }, s) =>
      expect([...edges].every((e) => area.squareByEdge[e] === s)).toBe(true),
    )
  })

  it('omits streets that are too short or outside of the districts', () => {
    const [first, second, ...others] = graph.edges
    const changed = makeServiceArea(
      { ...graph, edges: [{ ...first!, length: 39 }, { ...second!, district: undefined }, ...others] },
      zephyr!,
    )
    expect([changed.squareByEdge[0], changed.squareByEdge[1]]).toEqual([-1, -1])
  })

  it('a service area has departures and destinations for every phase', () => {
    expect(area.destinations.length).toBe(rhythm.phases.length)
    for (const departureShares of area.departureShares)
      expect(departureShares.every((share) => share > 0 && share <= 1)).toBe(true)
    for (const tables of area.destinations)
      expect(tables.every(({ probability }) => probability.length === area.squares.length)).toBe(true)
  })

  it('favors work as a destination in the morning and an origin in the evening', () => {
    const [home, work] = [findSquareNear('Old town homes'), findSquareNear('Exchange')]
    const [morning, evening] = [0, 2] as const
    expect(wide.departureShares[morning]![home]!).toBeGreaterThan(wide.departureShares[morning]![work]!)
    expect(wide.departureShares[evening]![work]!).toBeGreaterThan(wide.departureShares[evening]![home]!)
    const from = findSquareNear('Union Station')
    expect(getShares(wide.destinations[morning]![from]!)[work]!).toBeGreaterThan(
      getShares(wide.destinations[evening]![from]!)[work]!,
    )
  })

  it('favors near destinations, but not the same square', () => {
    const from = findSquareNear('Exchange')
    const [x, y] = getCenter(from)
    const shares = getShares(wide.destinations[1]![from]!)
    const pull = wide.destinations[1]!.map((table) => getShares(table)).reduce((sum, each) =>
      sum.map((share, s) => share + each[s]!),
    )
    const attraction = shares.map((share, s) => share / pull[s]!)
    const computeMeanAttraction = (low: number, high: number): number => {
      const squares = attraction.filter((_, s) => {
        const distance = Math.hypot(getCenter(s)[0] - x, getCenter(s)[1] - y)
        return distance >= low && distance < high
      })
      return squares.reduce((sum, value) => sum + value, 0) / squares.length
    }
    expect(computeMeanAttraction(400, 1200)).toBeGreaterThan(computeMeanAttraction(1800, 3000))
    expect(computeMeanAttraction(400, 1200)).toBeGreaterThan(attraction[from]!)
  })

  it('deploys more vehicles where more trips start in the morning', () => {
    const shares = getShares(wide.deploy)
    expect(shares[findSquareNear('Old town homes')]!).toBeGreaterThan(1.3 / shares.length)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 5)
  })
})

describe('rhythm', () => {
  it('rhythm has 24 hours, 7 days and 12 months', () => {
    for (const hours of [rhythm.weekdayHours, rhythm.weekendHours, rhythm.weekdayPhase, rhythm.weekendPhase])
      expect(hours.length).toBe(24)
    expect([rhythm.dayOfWeek.length, rhythm.month.length]).toEqual([7, 12])
    expect(Math.max(...rhythm.weekdayPhase, ...rhythm.weekendPhase)).toBe(rhythm.phases.length - 1)
  })
})

describe('computeDayDemand', () => {
  it('depends on weekend, month and season', () => {
    expect(computeDayDemand(1, dayNumber('2026-07-04'))).toMatchObject({ isWeekend: true, month: 7 })
    expect(computeDayDemand(1, dayNumber('2026-07-06'))).toMatchObject({ isWeekend: false, month: 7 })
    const mean = (from: string): number =>
      Array.from({ length: 28 }, (_, i) => computeDayDemand(1, dayNumber(from) + i).factor).reduce(
        (a, b) => a + b,
      ) / 28
    expect(mean('2026-07-01')).toBeGreaterThan(mean('2026-01-01') * 1.4)
  })
})
