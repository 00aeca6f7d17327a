import { describe, expect, it } from 'vitest'
import { zones } from '../plan/zones.ts'
import { streetName, clipLine } from './fill-cells.ts'
import fc from 'fast-check'
import { inRing, type Point } from '../plane/point.ts'

const numbers = Array.from({ length: 61 }, (_, i) => i - 30)

describe('streetName', () => {
  it.each(zones.map((zone) => [zone.district, zone] as const))(
    'gives the streets of %s names of their own',
    (_, zone) => {
      for (const along of [true, false]) {
        const names = numbers.map((number) => streetName(1, zone, { along, number }))
        expect(new Set(names).size).toBe(names.length)
        for (const name of names) expect(name).toMatch(/^[A-Z0-9][\w ]+ (Street|Road|Avenue|Lane|Place)$/)
      }
    },
  )

  it('counts numbered streets in their order, with the right endings', () => {
    const midtown = zones.find(({ district }) => district === 'Midtown')!
    const names = [1, 2, 3, 4].map((number) => streetName(1, midtown, { along: false, number }))
    expect(names).toEqual(['51st Street', '52nd Street', '53rd Street', '54th Street'])
  })
})

const square: Point[] = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
]
const hole: Point[] = [
  [40, 40],
  [60, 40],
  [60, 60],
  [40, 60],
]

describe('clipLine', () => {
  it('keeps what is inside, and a little over', () => {
    expect(
      clipLine(
        [
          [-50, 50],
          [150, 50],
        ],
        [square],
        2,
      ),
    ).toEqual([
      [
        [-2, 50],
        [102, 50],
      ],
    ])
  })

  it('keeps a line that is wholly inside as it is', () => {
    expect(
      clipLine(
        [
          [10, 10],
          [90, 20],
        ],
        [square],
        2,
      ),
    ).toEqual([
      [
        [10, 10],
        [90, 20],
      ],
    ])
  })

  it('keeps nothing of a line outside', () => {
    expect(
      clipLine(
        [
          [-50, 150],
          [150, 150],
        ],
        [square],
        2,
      ),
    ).toEqual([])
  })

  it('parts a line at a hole', () => {
    expect(
      clipLine(
        [
          [-50, 50],
          [150, 50],
        ],
        [square, hole],
        2,
      ),
    ).toEqual([
      [
        [-2, 50],
        [42, 50],
      ],
      [
        [58, 50],
        [102, 50],
      ],
    ])
  })

  it('starts and ends inside where the line does', () => {
    expect(
      clipLine(
        [
          [50, 10],
          [50, 20],
          [50, 130],
        ],
        [square],
        5,
      ),
    ).toEqual([
      [
        [50, 10],
        [50, 20],
        [50, 105],
      ],
    ])
  })

  it('has the middle of every piece inside, whatever the line', () => {
    // Off the corners and edges of the square: what merely touches it may fall to either side.
    const coordinate = fc.integer({ min: -150, max: 250 }).map((metres) => metres + 0.37)
    expect(() =>
      fc.assert(
        fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 2 }), (line) => {
          const middles = clipLine(line, [square], 0).map(
            (part) => [(part[0]![0] + part.at(-1)![0]) / 2, (part[0]![1] + part.at(-1)![1]) / 2] as const,
          )
          return middles.every(([x, y]) => inRing(square, x, y))
        }),
        { seed: 5 },
      ),
    ).not.toThrow()
  })
})
