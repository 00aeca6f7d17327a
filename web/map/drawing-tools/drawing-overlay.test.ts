import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Position } from '#contract/place.ts'
import { ExactPositions, fromFeature, toFeature } from './drawing-overlay.ts'

const degrees = fc.tuple(
  fc.double({ min: -179, max: 179, noNaN: true }),
  fc.double({ min: -89, max: 89, noNaN: true }),
)

it('retains every digit of unmoved positions', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(degrees, {
        minLength: 1,
        selector: (position) => position.map((coordinate) => Number(coordinate.toFixed(8)) + 0).join(' '),
      }),
      (positions) => {
        const exact = new ExactPositions()
        const rounded = exact.toEngine(positions)
        expect(
          rounded.every((position) =>
            position.every((coordinate) => Number(coordinate.toFixed(9)) === coordinate),
          ),
        ).toBe(true)
        expect(exact.fromEngine(rounded)).toEqual(positions)
      },
    ),
  )
})

it('rounds new positions to seven decimals, also after clear()', () => {
  const exact = new ExactPositions()
  exact.remember([1.123456789123, 2])
  expect(
    exact.fromEngine([
      [1.123456789, 2],
      [3.123456789, 4],
    ]),
  ).toEqual([
    [1.123456789123, 2],
    [3.1234568, 4],
  ])
  exact.clear()
  expect(exact.fromEngine([[1.123456789, 2]])).toEqual([[1.1234568, 2]])
})

it('converts parts to features and back', () => {
  const ring: Position[] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ]
  const identity = (positions: readonly Position[]): Position[] => [...positions]
  for (const kind of ['outline', 'hole', 'line', 'point'] as const) {
    const positions = kind === 'point' ? [ring[0]!] : ring
    const feature = toFeature({ id: '0:1', kind, positions }, positions)
    expect(fromFeature(feature, identity).part).toEqual({ id: '0:1', positions })
  }
  expect(toFeature({ id: 'x', kind: 'hole', positions: ring }, ring).geometry.type).toBe('Polygon')
  expect(
    fromFeature(
      {
        type: 'Feature',
        geometry: { type: 'Polygon', coordinates: [ring] },
        properties: { mode: 'polygon' },
      },
      identity,
    ),
  ).toEqual({ part: null, geometry: { type: 'Polygon', coordinates: [ring] } })
})
