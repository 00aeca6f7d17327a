import { describe, expect, it } from 'vitest'
import { boxInView } from './box-in-view.ts'

describe('boxInView', () => {
  it('contains the view, and is the same after a small movement', () => {
    const box = boxInView([-75.154, 37.083, 14])
    expect(box).toEqual([-75.19, 37.06, -75.12, 37.1])
    expect(boxInView([-75.153, 37.0835, 14])).toEqual(box)
    expect(boxInView([-75.154, 37.083, 18])).toEqual([-75.16, 37.08, -75.15, 37.09])
  })

  it('is null at low zooms', () => {
    expect(boxInView([-75.154, 37.083, 13.9])).toBeNull()
  })
})
