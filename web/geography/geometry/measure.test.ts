import fc from 'fast-check'
import { expect, it } from 'vitest'
import { measure, metersBetween } from './measure.ts'
import { ring, square } from './test-areas.ts'
import { positions } from '../../../test/positions.ts'

it('measures a degree at the equator', () => {
  expect(metersBetween([0, 0], [1, 0])).toBeCloseTo(111_195, 0)
  const { area, perimeter, length } = measure(square(0, 0, 0.01))
  expect(area! / 1e6).toBeCloseTo(1.2364, 3)
  expect(perimeter! / 1000).toBeCloseTo(4.448, 2)
  expect(length).toBeNull()
})

it('subtracts holes from the area and adds their edges to the perimeter', () => {
  const whole = measure(square(0, 40, 0.02))
  const hole = measure(square(0.005, 40.005, 0.005))
  const holed = measure({
    type: 'Polygon',
    coordinates: [ring(0, 40, 0.02), ring(0.005, 40.005, 0.005).toReversed()],
  })
  expect(holed.area).toBeCloseTo(whole.area! - hole.area!, 3)
  expect(holed.perimeter).toBeCloseTo(whole.perimeter! + hole.perimeter!, 3)
})

it('measures lines; points have no size', () => {
  expect(
    measure({ type: 'MultiLineString', coordinates: [positions('0 0, 1 0'), positions('0 0, 0 1')] }).length,
  ).toBeCloseTo(222_390, -1)
  expect(measure({ type: 'Point', coordinates: [1, 1] })).toEqual({
    area: null,
    perimeter: null,
    length: null,
  })
})

it('does not depend on the direction or the start of a ring', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3 }), fc.boolean(), (turn, isBack) => {
      const corners = ring(-79.9, 32.7, 0.01).slice(0, 4)
      const turned = [...corners.slice(turn), ...corners.slice(0, turn)]
      const closed = [...turned, turned[0]!]
      const { area } = measure({ type: 'Polygon', coordinates: [isBack ? closed.toReversed() : closed] })
      expect(area! / measure(square(-79.9, 32.7, 0.01)).area!).toBeCloseTo(1, 6)
    }),
  )
})
