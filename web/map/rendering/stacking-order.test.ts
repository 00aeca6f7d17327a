import { describe, expect, it } from 'vitest'
import type { Shape } from '#contract/geography.ts'
import type { Position } from '#contract/place.ts'
import { stackingOrder } from './stacking-order.ts'

const square = (id: string, west: number, side: number): Shape => {
  const ring: Position[] = [
    [west, 0],
    [west + side, 0],
    [west + side, side],
    [west, side],
    [west, 0],
  ]
  return { shape_uuid: id, geom: { type: 'Polygon', coordinates: [ring] } } as unknown as Shape
}

describe('overlapping areas', () => {
  it('are drawn from the largest to the smallest', () => {
    expect(stackingOrder([square('zone', 1, 1), square('city', 0, 10), square('quarter', 0.5, 4)])).toEqual([
      'city',
      'quarter',
      'zone',
    ])
  })
  it('are distinguished from adjacent areas, even if borders overlap a little', () => {
    expect(stackingOrder([square('a', 0, 1), square('b', 1, 1), square('c', 1.95, 1)])).toBeNull()
    expect(stackingOrder(null)).toBeNull()
  })
  it('are detected among many by a sample', () => {
    const adjacent = Array.from({ length: 5000 }, (_, index) => square(`s${index}`, index / 100, 0.01))
    expect(stackingOrder(adjacent)).toBeNull()
    expect(stackingOrder([...adjacent, square('all', -1, 60)])).toHaveLength(5001)
    expect(stackingOrder([...adjacent, square('all', -1, 60)])?.[0]).toBe('all')
  })
})
