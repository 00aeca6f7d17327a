import { describe, expect, it } from 'vitest'
import { operators } from '../operators.ts'
import { smallCity } from '../small-city.ts'
import type { AliasTable } from './alias-table.ts'
import { attractors } from './attractors.ts'
import { rhythm } from './rhythm.ts'
import { dayDemand } from './day-demand.ts'
import { dayNumber } from '../day-number.ts'
import { serviceArea } from './service-area.ts'

/** What a table gives each index. */
function sharesOf({ keep, other }: AliasTable): number[] {
  const found = Array.from(keep, () => 0)
  keep.forEach((share, slot) => {
    found[slot]! += share / keep.length
    found[other[slot]!]! += (1 - share) / keep.length
  })
  return found
}

describe('serviceArea', () => {
  const graph = smallCity().streets
  const [zephyr, , , sandpiper] = operators
  const area = serviceArea(graph, sandpiper!)
  const wide = serviceArea(graph, zephyr!)
  const middleOf = (s: number): readonly [number, number] => {
    const places = [...wide.squares[s]!.edges].flatMap((e) => [...graph.edges[e]!.path])
    const mean = (axis: number): number =>
      places.filter((_, i) => i % 2 === axis).reduce((sum, metres) => sum + metres, 0) / (places.length / 2)
    return [mean(0), mean(1)]
  }
  const squareNear = (name: string): number => {
    const { at } = attractors.find((attractor) => attractor.name === name)!
    const away = wide.squares.map((_, s) => Math.hypot(middleOf(s)[0] - at[0], middleOf(s)[1] - at[1]))
    return away.indexOf(Math.min(...away))
  }

  it('holds the streets of the districts of the operator only, each in one square', () => {
    const served = new Set(
      graph.edges.filter((_, e) => area.squareOf[e]! >= 0).map(({ district }) => district),
    )
    expect([...served].toSorted()).toEqual(sandpiper!.districts.toSorted())
    const edges = area.squares.flatMap((square) => [...square.edges])
    expect(new Set(edges).size).toBe(edges.length)
    expect(edges.length).toBe([...area.squareOf].filter((s) => s >= 0).length)
    area.squares.forEach(({ edges }, s) => expect([...edges].every((e) => area.squareOf[e] === s)).toBe(true))
  })

  it('leaves out streets too short to stand in, and those of no district', () => {
    const [first, second, ...others] = graph.edges
    const changed = serviceArea(
      { ...graph, edges: [{ ...first!, length: 39 }, { ...second!, district: undefined }, ...others] },
      zephyr!,
    )
    expect([changed.squareOf[0], changed.squareOf[1]]).toEqual([-1, -1])
  })

  it('knows for every mood how one leaves and where one goes', () => {
    expect(area.goTo.length).toBe(rhythm.moods.length)
    for (const leave of area.leave) expect(leave.every((share) => share > 0 && share <= 1)).toBe(true)
    for (const tables of area.goTo)
      expect(tables.every(({ keep }) => keep.length === area.squares.length)).toBe(true)
  })

  it('leads to work in the morning, and from it in the evening', () => {
    const [home, work] = [squareNear('Old town homes'), squareNear('Exchange')]
    const [morning, evening] = [0, 2] as const
    expect(wide.leave[morning]![home]!).toBeGreaterThan(wide.leave[morning]![work]!)
    expect(wide.leave[evening]![work]!).toBeGreaterThan(wide.leave[evening]![home]!)
    const from = squareNear('Union Station')
    expect(sharesOf(wide.goTo[morning]![from]!)[work]!).toBeGreaterThan(
      sharesOf(wide.goTo[evening]![from]!)[work]!,
    )
  })

  it('leads rather to the near than to the far, and rather a way than none', () => {
    const from = squareNear('Exchange')
    const [x, y] = middleOf(from)
    const shares = sharesOf(wide.goTo[1]![from]!)
    const pull = wide.goTo[1]!.map((table) => sharesOf(table)).reduce((sum, each) =>
      sum.map((share, s) => share + each[s]!),
    )
    const willing = shares.map((share, s) => share / pull[s]!)
    const at = (low: number, high: number): number => {
      const found = willing.filter((_, s) => {
        const away = Math.hypot(middleOf(s)[0] - x, middleOf(s)[1] - y)
        return away >= low && away < high
      })
      return found.reduce((sum, value) => sum + value, 0) / found.length
    }
    expect(at(400, 1200)).toBeGreaterThan(at(1800, 3000))
    expect(at(400, 1200)).toBeGreaterThan(willing[from]!)
  })

  it('puts more vehicles out where more people set out in the morning', () => {
    const shares = sharesOf(wide.putOut)
    expect(shares[squareNear('Old town homes')]!).toBeGreaterThan(1.3 / shares.length)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 5)
  })
})

describe('the rhythm', () => {
  it('has 24 hours, 7 days and 12 months', () => {
    for (const hours of [rhythm.weekdayHours, rhythm.weekendHours, rhythm.weekdayMood, rhythm.weekendMood])
      expect(hours.length).toBe(24)
    expect([rhythm.dayOfWeek.length, rhythm.month.length]).toEqual([7, 12])
    expect(Math.max(...rhythm.weekdayMood, ...rhythm.weekendMood)).toBe(rhythm.moods.length - 1)
  })
})

describe('dayDemand', () => {
  it('knows weekends, months and the summer', () => {
    expect(dayDemand(1, dayNumber('2026-07-04'))).toMatchObject({ isWeekend: true, month: 7 })
    expect(dayDemand(1, dayNumber('2026-07-06'))).toMatchObject({ isWeekend: false, month: 7 })
    const mean = (from: string): number =>
      Array.from({ length: 28 }, (_, i) => dayDemand(1, dayNumber(from) + i).factor).reduce((a, b) => a + b) /
      28
    expect(mean('2026-07-01')).toBeGreaterThan(mean('2026-01-01') * 1.4)
  })
})
