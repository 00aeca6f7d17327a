import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Position } from '#contract/place.ts'
import { findCurbAlong, isOnOtherSide } from './along-street.ts'
import {
  joinLines,
  lineLength,
  lineBetween,
  metersApart,
  offsetLine,
  projectOn,
  getCompassSide,
  splitLineAt,
} from './curb-lines.ts'

const [lon, lat] = [-122.4, 37.8]
const lonPerMeter = 1 / (111_320 * Math.cos((lat * Math.PI) / 180))
/** A position given in meters east and north of a corner. */
const place = (east: number, north: number): Position => [lon + east * lonPerMeter, lat + north / 111_320]
const meters = fc.integer({ min: -400, max: 400 })
const places = fc.uniqueArray(fc.tuple(meters, meters), { minLength: 2, maxLength: 6, selector: String })
const lines = places.map((all) => all.map(([east, north]) => place(east, north)))

/** Slow reference implementation: positions every few centimeters along a line. */
function samples(line: readonly Position[], count = 4000): { along: number; at: Position }[] {
  const total = lineLength(line)
  return Array.from({ length: count + 1 }, (_, step) => {
    let left = (total * step) / count
    for (let index = 0; index + 1 < line.length; index++) {
      const [a, b] = [line[index]!, line[index + 1]!]
      const length = metersApart(a, b)
      if (left <= length || index === line.length - 2) {
        const share = length ? Math.min(1, left / length) : 0
        return {
          along: (total * step) / count,
          at: [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])] as Position,
        }
      }
      left -= length
    }
    return { along: total, at: line.at(-1)! }
  })
}

describe('curb lines', () => {
  it('projects onto a line like an exhaustive search of its positions', () => {
    fc.assert(
      fc.property(lines, meters, meters, (line, east, north) => {
        const position = place(east, north)
        const found = projectOn(line, position)!
        const nearest = Math.min(...samples(line).map(({ at }) => metersApart(position, at)))
        const step = lineLength(line) / 4000
        expect(Math.abs(found.offset)).toBeLessThanOrEqual(nearest + 0.05)
        expect(Math.abs(found.offset)).toBeGreaterThanOrEqual(nearest - step - 0.05)
        expect(metersApart(position, found.place)).toBeCloseTo(Math.abs(found.offset), 1)
      }),
      { numRuns: 60 },
    )
  })

  it('cuts a line at the same positions as a walk along it', () => {
    fc.assert(
      fc.property(
        lines,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (line, a, b) => {
          const total = lineLength(line)
          const [from, to] = [Math.min(a, b) * total, Math.max(a, b) * total]
          fc.pre(to - from > 1)
          const part = lineBetween(line, from, to)
          expect(lineLength(part)).toBeCloseTo(to - from, 0)
          const walk = samples(line)
          const near = walk.reduce((best, step) =>
            Math.abs(step.along - from) < Math.abs(best.along - from) ? step : best,
          )
          expect(metersApart(part[0]!, near.at)).toBeLessThan(total / 4000 + 0.2)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('splits a line into two parts that join to the same line again', () => {
    fc.assert(
      fc.property(lines, fc.double({ min: 0.05, max: 0.95, noNaN: true }), (line, share) => {
        fc.pre(lineLength(line) > 20)
        const [first, second] = splitLineAt(line, share * lineLength(line))!
        expect(first.at(-1)).toEqual(second[0])
        expect(lineLength(first) + lineLength(second)).toBeCloseTo(lineLength(line), 0)
        const joined = joinLines(first, second, 0.01)!
        expect([joined[0], joined.at(-1)]).toEqual([line[0], line.at(-1)])
        expect(lineLength(joined)).toBeCloseTo(lineLength(line), 0)
      }),
      { numRuns: 60 },
    )
  })

  it('neither splits a line at its ends nor joins lines over a gap', () => {
    const line = [place(0, 0), place(50, 0)]
    expect([splitLineAt(line, 0.2), splitLineAt(line, 49.8)]).toEqual([null, null])
    expect(joinLines(line, [place(60, 0), place(90, 0)], 5)).toBeNull()
    expect(joinLines(line, [place(90, 0), place(60, 0)], 15)).toEqual([
      place(0, 0),
      place(50, 0),
      place(60, 0),
      place(90, 0),
    ])
    expect(joinLines([place(60, 0), place(90, 0)], line, 15)?.[0]).toEqual(place(0, 0))
  })

  it('offsets a line by the same distance everywhere, on the requested side', () => {
    const line = [place(0, 0), place(100, 0), place(150, 60)]
    for (const offset of [6, -6]) {
      const beside = offsetLine(line, offset)
      // The outer corner, where both edges meet, is farther away.
      for (const { at } of samples(beside, 50)) {
        const away = projectOn(line, at)!.offset * Math.sign(offset)
        expect(away).toBeGreaterThan(5.9)
        expect(away).toBeLessThan(6.8)
      }
    }
    expect([
      getCompassSide([place(0, 0), place(100, 0)], 1),
      getCompassSide([place(0, 0), place(100, 0)], -1),
    ]).toEqual(['S', 'N'])
    expect([
      getCompassSide([place(0, 0), place(0, 9)], 1),
      getCompassSide([place(0, 0), place(9, 9)], -1),
    ]).toEqual(['E', 'NW'])
  })
})

describe('a curb along a street', () => {
  const streets = [
    { name: '1st Street', line: [place(0, 0), place(100, 0), place(200, 0)] },
    { name: '2nd Street', line: [place(0, 90), place(200, 90)] },
    { name: 'Avenue A', line: [place(0, 0), place(0, 90)] },
    { name: 'Avenue B', line: [place(100, -80), place(100, 1)] },
    { name: 'Avenue C', line: [place(200, 2), place(200, 90)] },
  ]
  const options = { offsetMeters: 5, neighbors: [] }

  it('follows the street at the side on which it was drawn', () => {
    const north = findCurbAlong([place(20, 7), place(150, 3)], streets, options)!
    expect([north.streetName, north.side]).toEqual(['1st Street', 'N'])
    expect(north.line).toHaveLength(3)
    expect(lineLength(north.line)).toBeCloseTo(130, 0)
    expect(metersApart(north.line[0]!, place(20, 5))).toBeLessThan(0.05)
    // The curb runs in the direction of the street, whichever end was drawn first.
    const south = findCurbAlong([place(150, -8), place(20, -8)], streets, options)!
    expect([south.side, metersApart(south.line[0]!, place(20, -5)) < 0.05]).toEqual(['S', true])
    expect(findCurbAlong([place(9, 20), place(6, 70)], streets, options)).toMatchObject({
      streetName: 'Avenue A',
      side: 'E',
    })
  })

  it('starts at the end of a neighbor', () => {
    const end = place(21.5, 5.5)
    const curb = findCurbAlong([place(20, 7), place(90, 3)], streets, {
      ...options,
      neighbors: [end, place(60, 5)],
    })!
    expect(curb.line[0]).toEqual(end)
    expect(metersApart(curb.line.at(-1)!, place(90, 5))).toBeLessThan(0.05)
  })

  it('has the cross streets at its ends', () => {
    const cross = (from: number, to: number) =>
      findCurbAlong([place(from, 7), place(to, 3)], streets, options)?.crossStreets
    expect(cross(20, 80)).toEqual({ start: 'Avenue A', end: 'Avenue B' })
    expect(cross(180, 110)).toEqual({ start: 'Avenue B', end: 'Avenue C' })
    expect(findCurbAlong([place(20, 93), place(80, 93)], streets, options)?.crossStreets).toEqual({
      start: 'Avenue A',
      end: 'Avenue C',
    })
    expect(findCurbAlong([place(3, 20), place(3, 70)], streets.slice(2), options)?.crossStreets).toEqual({
      start: '',
      end: '',
    })
  })

  it('is null without a street', () => {
    expect(findCurbAlong([place(20, 45), place(90, 300)], streets, options)).toBeNull()
    expect(findCurbAlong([place(20, 7)], streets, options)).toBeNull()
  })

  it('is detected if it states the opposite side', () => {
    const line = [place(20, 5), place(90, 5)]
    expect([isOnOtherSide(line, 'N', streets), isOnOtherSide(line, 'S', streets)]).toEqual([false, true])
    expect(isOnOtherSide([place(20, 1000), place(90, 1000)], 'S', streets)).toBe(false)
  })
})
