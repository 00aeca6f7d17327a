import { describe, expect, it } from 'vitest'
import { assembleRings } from './assemble-rings.ts'
import { positions } from '../../../test/positions.ts'

/** Returns a clockwise box, like outer rings of shapefiles. */
const box = (x: number, y: number, size: number): number[][] => [
  [x, y],
  [x, y + size],
  [x + size, y + size],
  [x + size, y],
  [x, y],
]
const hole = (x: number, y: number, size: number): number[][] => box(x, y, size).toReversed()

describe('assembleRings', () => {
  it('assigns each hole to the smallest ring around it, in any order', () => {
    const rings = [hole(4.5, 4.5, 0.5), hole(2, 2, 6), box(4, 4, 2), box(0, 0, 10), box(20, 0, 2)]
    expect(assembleRings(rings)).toEqual([
      [box(4, 4, 2), hole(4.5, 4.5, 0.5)],
      [box(0, 0, 10), hole(2, 2, 6)],
      [box(20, 0, 2)],
    ])
  })

  it('is not misled by boxes that contain each other', () => {
    // The box of the thin diagonal outer ring contains the hole of the other ring.
    const diagonal = positions('0 0, 0 1, 9 10, 10 10, 0 0')
    expect(assembleRings([diagonal, box(6, 0, 4), hole(7, 1, 1)])).toEqual([
      [diagonal],
      [box(6, 0, 4), hole(7, 1, 1)],
    ])
  })

  it('assigns a hole that touches its ring', () => {
    const touching = positions('0 5, 2 4, 2 6, 0 5')
    expect(assembleRings([box(0, 0, 10), touching])).toEqual([[box(0, 0, 10), touching]])
  })

  it('treats a ring with wrong orientation as an outer one', () => {
    expect(assembleRings([hole(0, 0, 10)])).toEqual([[hole(0, 0, 10)]])
    expect(assembleRings([box(0, 0, 1), hole(5, 5, 1)])).toEqual([[box(0, 0, 1)], [hole(5, 5, 1)]])
  })

  it('distinguishes small rings far from the origin', () => {
    expect(assembleRings([box(7_644_000, 684_000, 0.5), hole(7_644_000.1, 684_000.1, 0.1)])).toHaveLength(1)
  })
})
